"""Who may read which document, asked of a slow directory service."""

import asyncio

GROUPS = {"ann": {"staff", "board"}, "bob": {"staff"}, "eve": set()}
DOCUMENTS = {"menu": None, "salaries": "board", "handbook": "staff", "minutes": "board"}


async def groups_of(user):
    await asyncio.sleep(0)
    return GROUPS.get(user, set())


async def owner_group(document):
    await asyncio.sleep(0)
    return DOCUMENTS[document]


async def may_read(user, document):
    group = await owner_group(document)
    return group is None or group in await groups_of(user)


async def readable(user):
    found = []
    for document in sorted(DOCUMENTS):
        if await may_read(user, document):
            found.append(document)
    return found


async def overview(users):
    lists = await asyncio.gather(*(readable(user) for user in users))
    return dict(zip(users, lists))


def main():
    for user, documents in asyncio.run(overview(["ann", "bob", "eve"])).items():
        print(user, documents)


if __name__ == "__main__":
    main()
