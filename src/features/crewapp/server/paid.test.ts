import sharp from 'sharp'
import { expect, it } from 'vitest'
import { clock } from '../../../platform/clock.ts'
import { newId } from '../../../platform/ids.ts'
import { dayOf } from '../../../shared/dates.ts'
import { aBusiness } from '../../../test/factories.ts'
import { aCrew } from '../../../test/field.ts'
import { expensesApi } from '../../expenses/contract.ts'
import { crewappApi } from '../contract.ts'

it('a receipt from a phone is booked once, on the day of the bill, with its photo behind it', async () => {
  const business = await aBusiness()
  const ben = await business.employee({ name: 'Ben Ortiz' })
  const ana = await business.employee()
  const crewId = await aCrew(business, { members: [ben] })
  const at = new Date(clock.nowMs() - 26 * 3_600_000).toISOString()
  const paid = { kind: 'fuel' as const, totalCents: 6512, vendor: 'Shell', note: '', ownMoney: true }
  const command = { id: newId(), type: 'hand_in' as const, at, payload: { paid } }
  const send = async (who: typeof ben, one: typeof command) =>
    (await who.api.ok(crewappApi.commands, { body: { commands: [one], sentAt: clock.iso() } })).results.map((r) => [
      r.result,
      r.reason,
    ])
  expect(await send(ben, command)).toEqual([['applied', null]])
  expect(await send(ben, command)).toEqual([['duplicate', null]])
  const photo = { params: { id: command.id }, query: { id: newId() } }
  const body = await sharp({ create: { width: 60, height: 40, channels: 3, background: '#888' } })
    .jpeg()
    .toBuffer()
  for (const [who, status] of [
    [ben, 200],
    [ben, 200],
    [ana, 404],
  ] as const)
    expect(
      (await who.api.call(expensesApi.handInPhoto, { ...photo, body }, { 'content-type': 'image/jpeg' })).status,
    ).toBe(status)
  const { items } = await business.api.ok(expensesApi.list, { query: { review: 'true' } as never })
  expect(items).toMatchObject([
    {
      id: command.id,
      day: dayOf(at, 'America/New_York'),
      totalCents: 6512,
      receiptCount: 1,
      paidBy: { name: 'Ben Ortiz' },
      parts: [{ crew: { id: crewId } }],
    },
  ])
  expect(await send(ben, { ...command, id: newId(), payload: {} as never })).toEqual([['refused', 'invalid']])
})
