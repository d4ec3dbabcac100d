import { beforeAll, expect, it } from 'vitest'
import { newId } from '../../../../platform/ids.ts'
import { renewTestServer } from '../../../../test/api.ts'
import { aBusiness } from '../../../../test/factories.ts'
import { aLawn } from '../../../../test/field.ts'
import { rowsRead } from '../../../../test/rows-read.ts'
import { failedMessages } from './unsent.ts'

beforeAll(renewTestServer)

it('what did not arrive and was never dismissed is read no further back than so much, however many years of it there are', async () => {
  const own = await aBusiness()
  const { customerId } = await aLawn(own)
  // sent again since, as most are
  const lost = (count: number) =>
    own.db(async (db) => {
      for (let at = 0; at < count; at += 500) {
        const ids = Array.from({ length: 500 }, newId)
        const common = {
          businessId: own.id,
          channel: 'email',
          address: 'ann@test.swath.test',
          bodyText: 'Hi',
          customerId,
        } as const
        await db
          .insertInto('messages')
          .values(ids.map((id) => ({ ...common, id, dedupeKey: `note:${id}`, status: 'failed' as const })))
          .execute()
        await db
          .insertInto('messages')
          .values(
            ids.map((id) => ({ ...common, id: newId(), dedupeKey: `resend:${id}`, status: 'delivered' as const })),
          )
          .execute()
      }
    })
  const read = () => rowsRead(own, ['messages'], () => own.db(failedMessages))
  await lost(1000)
  const before = await read()
  await lost(3000)
  expect(await own.db(failedMessages)).toEqual([])
  expect(await read()).toBeLessThan(before * 1.5)
})
