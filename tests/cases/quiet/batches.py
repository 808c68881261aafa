"""A batch is written and acknowledged as a whole; an empty one is neither."""
from aiokafka import AIOKafkaConsumer
import asyncpg


class Loader:
    def __init__(self, pool: asyncpg.Pool):
        self.pool = pool
        self.consumer = AIOKafkaConsumer("clicks", enable_auto_commit=False, group_id="load")

    async def run(self):
        await self.consumer.start()
        try:
            while True:
                batches = await self.consumer.getmany(timeout_ms=1000, max_records=500)
                rows = [(r.key, r.value) for records in batches.values() for r in records]
                if not rows:
                    continue
                async with self.pool.acquire() as db, db.transaction():
                    await db.executemany("INSERT INTO clicks VALUES ($1, $2)", rows)
                await self.consumer.commit()
        finally:
            await self.consumer.stop()
