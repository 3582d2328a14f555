"""What a plan says about rooms and people."""


def used_minutes(plan):
    used = {}
    for _, room, span in plan.bookings:
        used[room] = used.get(room, 0) + span.minutes()
    return used


def busiest(plan):
    used = used_minutes(plan)
    return max(sorted(used), key=used.get)
