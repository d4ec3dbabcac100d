import { afterEach, expect, it } from 'vitest'
import { clock, resetClock, setClock } from '../../../../platform/clock.ts'
import { newId } from '../../../../platform/ids.ts'
import { runTasks } from '../../../../test/api.ts'
import { aBusiness, type TestBusiness } from '../../../../test/factories.ts'
import { aLawn } from '../../../../test/field.ts'
import { mailingsApi } from '../../../mailings/contract.ts'
import { messagesApi } from '../../contract.ts'
import { queueMessage, recordConsent } from '../../server/commands.ts'
import { businessOutbox } from '../../server/delivery/commands.ts'
import { sendFromOutbox } from '../../server/outbox/commands.ts'

afterEach(resetClock)

/** 9:30 in the morning in Georgia, 6:30 in Arizona. */
const morning = () => setClock(() => new Date('2026-06-12T13:30:00Z'))
const phoenix = { latitude: 33.45, longitude: -112.07 }

const withPhone = async (own: TestBusiness, phone: string, changes: Parameters<typeof aLawn>[1]) => {
  const { customerId } = await aLawn(own, changes)
  await own.db((db) =>
    db.updateTable('customers').set({ phone }).where('businessId', '=', own.id).where('id', '=', customerId).execute(),
  )
  return customerId
}
const text = (own: TestBusiness, customerId: string | null, address: string, entity?: { type: string; id: string }) =>
  own.db((db) =>
    queueMessage(db, {
      channel: 'sms',
      purpose: 'transactional',
      address,
      dedupeKey: `moved:${newId()}`,
      text: 'We come on Friday.',
      ...(customerId ? { customerId } : {}),
      ...(entity ? { entity } : {}),
    }),
  )
/** The queue goes by the clock of the database: what its time has come for is asked for here. */
const leave = async (own: TestBusiness) => {
  const ids = await own.db((db) =>
    db
      .selectFrom('messages')
      .select('id')
      .where('businessId', '=', own.id)
      .where('status', '=', 'held')
      .orderBy('id')
      .execute(),
  )
  for (const { id } of ids) await sendFromOutbox(businessOutbox(own.id), id)
}
const statuses = (own: TestBusiness) =>
  own.db(async (db) =>
    (await db.selectFrom('messages').select(['status', 'reason']).where('businessId', '=', own.id).execute()).map(
      ({ status, reason }) => `${status}: ${reason ?? ''}`,
    ),
  )
const states = async (own: TestBusiness) =>
  new Map((await own.api.ok(messagesApi.list, { query: {} })).items.map((one) => [one.address, one]))

it('a text waits for the morning of whom it is for, not of who writes', async () => {
  morning()
  const own = await aBusiness()
  const near = await withPhone(own, '+19125550141', {})
  const far = await withPhone(own, '+16025550142', { ...phoenix, customer: 'Ana Far' })
  const both = await withPhone(own, '+16025550143', { customer: 'Two Lawns' })
  const { propertyId } = await aLawn(own, { ...phoenix, customer: 'Placeholder' })
  await own.db((db) =>
    db
      .updateTable('properties')
      .set({ customerId: both })
      .where('businessId', '=', own.id)
      .where('id', '=', propertyId)
      .execute(),
  )
  const nowhere = await withPhone(own, '+16025550144', { latitude: null, longitude: null })
  const leadId = newId()
  await own.db((db) =>
    db
      .insertInto('businessLeads')
      .values({
        businessId: own.id,
        id: leadId,
        name: 'Lead',
        phone: '+16025550145',
        source: 'call',
        stageAt: clock.iso(),
        createdAt: clock.iso(),
        updatedAt: clock.iso(),
        state: 'AZ',
        ...phoenix,
      } as never)
      .execute(),
  )
  await text(own, near, '+19125550141')
  await text(own, far, '+16025550142')
  await text(own, both, '+16025550143')
  await text(own, nowhere, '+16025550144')
  await text(own, null, '+16025550145', { type: 'lead', id: leadId })
  await runTasks()
  const seen = await states(own)
  const held = { status: 'held', runAfter: '2026-06-12T15:00:00.000Z', reason: 'Quiet hours at the recipient' }
  expect(seen.get('+19125550141')?.status).toBe('sent')
  expect(seen.get('+16025550142')).toMatchObject(held)
  expect(seen.get('+16025550143')).toMatchObject(held)
  expect(seen.get('+16025550144')?.status).toBe('sent')
  expect(seen.get('+16025550145')).toMatchObject(held)
  setClock(() => new Date('2026-06-12T15:00:05Z'))
  await leave(own)
  expect(await statuses(own)).toEqual(Array(5).fill('sent: '))
})

it('who writes to several sees how many of the texts wait, and until when', async () => {
  morning()
  const own = await aBusiness()
  const ids = [
    await withPhone(own, '+19125550151', {}),
    await withPhone(own, '+16025550152', { ...phoenix, customer: 'Ana Far' }),
  ]
  const preview = (choice: string[]) =>
    own.api.ok(mailingsApi.preview, { body: { choice: { ids: choice }, way: 'best', about: 'service' } })
  expect(await preview(ids)).toMatchObject({ texts: 2, quietTexts: 1, quietUntil: '2026-06-12T15:00:00.000Z' })
  expect(await preview(ids.slice(0, 1))).toMatchObject({ texts: 1, quietTexts: 0, quietUntil: null })
})

it('a number gets three offers in a day, whoever sends how many at once; the fourth waits a day', async () => {
  setClock(() => new Date('2026-06-12T15:00:00Z'))
  const own = await aBusiness()
  const address = '+19125550161'
  const customerId = await withPhone(own, address, {})
  await own.db((db) =>
    recordConsent(db, { channel: 'sms', address, purpose: 'marketing', action: 'grant', source: 'test' }),
  )
  const offer = (n: number) =>
    own.db((db) =>
      queueMessage(db, {
        channel: 'sms',
        purpose: 'marketing',
        address,
        dedupeKey: `mailing:${n}`,
        text: `Offer ${n}`,
        customerId,
      }),
    )
  for (let n = 0; n < 5; n += 1) await offer(n)
  await runTasks()
  const now = () => statuses(own)
  expect((await now()).sort()).toEqual([
    'held: 3 offers in a day are enough',
    'held: 3 offers in a day are enough',
    'sent: ',
    'sent: ',
    'sent: ',
  ])
  // news of their own work is none of these
  await text(own, customerId, address)
  await runTasks()
  expect((await now()).filter((one) => one.startsWith('sent'))).toHaveLength(4)
  setClock(() => new Date('2026-06-13T15:00:10Z'))
  await leave(own)
  expect((await now()).filter((one) => one.startsWith('held'))).toEqual([])
})
