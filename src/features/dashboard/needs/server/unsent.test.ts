import { expect, it } from 'vitest'
import { clock } from '../../../../platform/clock.ts'
import { newId } from '../../../../platform/ids.ts'
import { aBusiness, type TestBusiness } from '../../../../test/factories.ts'
import { aLawn } from '../../../../test/field.ts'
import { messagesApi } from '../../../messages/contract.ts'
import { queueMessage, suppress } from '../../../messages/server/commands.ts'
import { dashboardApi } from '../../contract.ts'
import { failedMessages } from './unsent.ts'

const address = 'ann@test.swath.test'
const needs = async (own: TestBusiness) =>
  (await own.api.ok(dashboardApi.get, {})).needs.filter(({ kind }) => kind === 'unsent')
const emailIs = (own: TestBusiness, customerId: string, email: string) =>
  own.db((db) =>
    db.updateTable('customers').set({ email }).where('businessId', '=', own.id).where('id', '=', customerId).execute(),
  )

const bounced = async () => {
  const own = await aBusiness()
  const { customerId } = await aLawn(own)
  await emailIs(own, customerId, address)
  const entity = { type: 'invoice', id: newId() }
  const send = () =>
    own.db((db) =>
      queueMessage(db, {
        ...{ channel: 'email', purpose: 'transactional', address, customerId, entity, dedupeKey: newId() },
        ...{ subject: `INV-1001 from ${'Green Valley '.repeat(4)}: $200.00 due Friday`, text: 'Hi' },
      }),
    )
  const id = await send()
  await own.db((db) =>
    db
      .updateTable('messages')
      .set({ status: 'failed', reason: '550 5.1.1 no such user' })
      .where('businessId', '=', own.id)
      .where('id', '=', id)
      .execute(),
  )
  return { own, customerId, entity, id, send }
}

it('what bounced says it in words, cuts no amount, and leads to the address until it is sent again', async () => {
  const { own, customerId, entity, send } = await bounced()
  expect(await needs(own)).toMatchObject([{ action: { kind: 'resend' }, detail: `There is no mailbox ${address}` }])
  expect((await needs(own))[0]?.title).not.toMatch(/\$20(0|0\.|0\.0)?…$/)
  await own.db((db) => suppress(db, 'email', address, 'all', 'It bounced'))
  const open = { kind: 'open', label: 'Correct the address', path: expect.stringContaining(customerId) }
  expect(await needs(own)).toMatchObject([{ action: open }])
  const updatedAt = new Date(clock.nowMs() - 26 * 86_400_000).toISOString()
  await own.db((db) => db.updateTable('messages').set({ updatedAt }).where('businessId', '=', own.id).execute())
  expect(await needs(own)).toMatchObject([{ action: open }])
  await emailIs(own, customerId, 'ann.lee@test.swath.test')
  expect(await needs(own)).toMatchObject([
    { action: { label: 'Send it again', path: expect.stringContaining(entity.id) } },
  ])
  await send()
  expect(await needs(own)).toEqual([])
})

it('is dismissed, once it is lost and by who may', async () => {
  const { own, id, send } = await bounced()
  const dismiss = (message: string) => own.api.call(messagesApi.dismiss, { params: { id: message } })
  expect((await dismiss(id)).status).toBe(200)
  expect(await needs(own)).toEqual([])
  expect((await dismiss(await send())).status).toBe(409)
  expect((await (await aBusiness()).api.call(messagesApi.dismiss, { params: { id } })).status).toBe(404)
})

it('of many the newest are named, then all of them in one row, until some are dismissed', async () => {
  const own = await aBusiness()
  const { customerId } = await aLawn(own)
  const made = await own.db(async (db) => {
    const rows = Array.from({ length: 25 }, (_, at) => ({
      ...{ businessId: own.id, id: newId(), channel: 'email' as const, address, bodyText: 'Hi', customerId },
      ...{
        subject: `Note ${at}`,
        dedupeKey: `note:${at}`,
        status: 'failed' as const,
        reason: '550 5.1.1 no such user',
      },
    }))
    await db.insertInto('messages').values(rows).execute()
    return rows
  })
  const all = await own.db(failedMessages)
  expect(all).toHaveLength(21)
  expect(all[0]?.title).toContain('Note 24')
  expect(all.at(-1)).toMatchObject({
    title: 'More messages did not arrive',
    action: { kind: 'open', path: '/customers?tab=messages&view=log&outcome=stopped' },
  })
  for (const { id } of made.slice(0, 5)) await own.api.ok(messagesApi.dismiss, { params: { id } })
  expect((await own.db(failedMessages)).map(({ title }) => title)).not.toContain('More messages did not arrive')
})
