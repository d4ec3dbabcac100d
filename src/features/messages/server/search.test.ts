import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import { renewTestServer } from '../../../test/api.ts'
import { aBusiness, type TestBusiness } from '../../../test/factories.ts'
import { aLawn } from '../../../test/field.ts'
import { rowsRead } from '../../../test/rows-read.ts'
import { messagesApi } from '../contract.ts'

// how a read is planned goes by all that stands in its tables
beforeAll(async () => {
  await renewTestServer()
})

/** Messages `first` to `last`, a minute each from 2020 on, with ids that say when. */
const write = (own: TestBusiness, first: number, last: number, text: string) =>
  own.db((db) =>
    sql`insert into messages (business_id, id, channel, address, body_text, dedupe_key, status, created_at)
      select ${own.id}::uuid, (left(t, 8) || '-' || right(t, 4) || '-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 'sms', '+19125550100', ${text},
        'n' || n, 'delivered', to_timestamp(1577880000 + n * 60)
      from generate_series(${sql.lit(first)}, ${sql.lit(last)}) n,
        lateral (select lpad(to_hex((1577880000 + n * 60) * 1000::int8), 12, '0') as t) x`.execute(db),
  )

it('words are looked for in the newest messages, then further back when asked; how far is said, and twice the history costs the same', async () => {
  const own = await aBusiness()
  const cost = () => rowsRead(own, ['messages'], () => own.api.ok(messagesApi.list, { query: { search: 'mulch' } }))
  await write(own, 1, 1, 'The aeration is booked')
  await write(own, 2, 20_020, 'Your lawn is mowed')
  await write(own, 20_021, 20_021, 'No more aeration, please')
  const find = (query: object) => own.api.ok(messagesApi.list, { query: { search: 'aeration', ...query } })
  const near = await find({})
  expect(near.items.map((message) => message.text)).toEqual(['No more aeration, please'])
  expect([near.total, near.lookedBackTo]).toEqual([null, new Date((1577880000 + 22 * 60) * 1000).toISOString()])
  const far = await find({ cursor: near.nextCursor ?? '' })
  expect(far.items.map((message) => message.text)).toEqual(['The aeration is booked'])
  expect([far.nextCursor, far.lookedBackTo]).toEqual([null, null])
  // a full page needs no word on how far: the next one simply goes on
  const common = await find({ search: 'lawn' })
  expect([common.items.length, common.lookedBackTo, common.nextCursor !== null]).toEqual([50, null, true])
  const before = await cost()
  expect(before).toBeLessThan(45_000)
  await write(own, 20_022, 40_021, 'Your lawn is mowed')
  expect(await cost()).toBeLessThan(before * 1.1)
})

it('a small business is looked through whole, and says how many there are', async () => {
  const own = await aBusiness()
  await write(own, 1, 3, 'Your lawn is mowed')
  expect(await own.api.ok(messagesApi.list, { query: { search: 'lawn' } })).toMatchObject({
    total: 3,
    nextCursor: null,
    lookedBackTo: null,
  })
})

/** Internal notes `first` to `last` on a customer, a minute each from 2020 on. */
const note = (own: TestBusiness, customerId: string, first: number, last: number, text: string) =>
  own.db((db) =>
    sql`insert into conversation_notes (business_id, id, customer_id, body, created_at)
      select ${own.id}::uuid, (left(t, 8) || '-' || right(t, 4) || '-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, ${customerId}::uuid, ${text},
        to_timestamp(1577880000 + n * 60)
      from generate_series(${sql.lit(first)}, ${sql.lit(last)}) n,
        lateral (select lpad(to_hex((1577880000 + n * 60) * 1000::int8), 12, '0') as t) x`.execute(db),
  )

it('conversations are found by the newest internal notes, how far is said, and twice as many cost the same', async () => {
  const own = await aBusiness()
  const { customerId } = await aLawn(own)
  const find = (search: string) => own.api.ok(messagesApi.conversations, { query: { search } })
  await note(own, customerId, 1, 1, 'The neighbor has the key')
  const [whole] = (await find('neighbor')).items
  expect(whole?.last).toMatchObject({ channel: 'note', text: 'The neighbor has the key' })
  await note(own, customerId, 2, 20_021, 'Called, no answer')
  const far = await find('neighbor')
  expect([far.items, far.lookedBackTo]).toEqual([[], new Date((1577880000 + 22 * 60) * 1000).toISOString()])
  expect((await find('no answer')).items).toHaveLength(1)
  const cost = () => rowsRead(own, ['messages', 'conversation_notes', 'customers'], () => find('mulch'))
  const before = await cost()
  await note(own, customerId, 20_022, 40_021, 'Called, no answer')
  expect(await cost()).toBeLessThan(before * 1.1)
})
