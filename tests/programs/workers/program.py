"""Jobs shared out to threads, one after the other in a fixed order; each worker sums up its own cost."""

import threading


def digits(job):
    return [int(digit) for digit in str(job)]


def cost(job):
    return sum(digits(job)) + len(digits(job))


def share(jobs, workers):
    """Deal the jobs out like cards."""
    return [jobs[number::workers] for number in range(workers)]


def work(number, jobs, results):
    for job in jobs:
        results[0] += cost(job)


def run(jobs, workers):
    results = [0] * workers
    for number, part in enumerate(share(jobs, workers)):
        thread = threading.Thread(target=work, args=(number, part, results))
        thread.start()
        thread.join()
    return results


def balance(results):
    return max(results) - min(results)


def main():
    jobs = [n * n for n in range(1, 61)]
    results = run(jobs, 4)
    print(results, sum(results))
    print("balanced" if balance(results) < 40 else "unbalanced")


if __name__ == "__main__":
    main()
