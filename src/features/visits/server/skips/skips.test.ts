import { beforeAll, describe, expect, it } from 'vitest'
import { clock } from '../../../../platform/clock.ts'
import { newId } from '../../../../platform/ids.ts'
import { aBusiness, aPerson, type Person, type TestBusiness } from '../../../../test/factories.ts'
import { aCrew, aVisit } from '../../../../test/field.ts'
import { businessesApi } from '../../../businesses/contract.ts'
import { type SkipRule, usualSkips } from '../../../businesses/skips/rules.ts'
import { crewappApi } from '../../../crewapp/contract.ts'
import type { CommandPayload, CommandType } from '../../../crewapp/rules.ts'
import { invoicesApi } from '../../../invoices/contract.ts'
import { visitsApi } from '../../contract.ts'

let business: TestBusiness
let luis: Person
let crewId: string

const setRules = async (change: (rule: SkipRule) => Partial<SkipRule>, more: SkipRule[] = []) => {
  const { version } = await business.api.ok(businessesApi.get, {})
  const skipRules = [...usualSkips.map((rule) => ({ ...rule, ...change(rule) })), ...more]
  return business.api.call(businessesApi.update, { body: { version, skipRules } })
}
const gateFee = (rule: SkipRule): Partial<SkipRule> =>
  rule.code === 'locked_gate'
    ? { charge: 'fee', chargeCents: 2500 }
    : rule.code === 'dog'
      ? { charge: 'percent', chargePercent: 50 }
      : {}
const tap = async (type: CommandType, visitId: string, payload: CommandPayload = {}) => {
  const body = { commands: [{ id: newId(), type, visitId, at: clock.iso(), payload }], sentAt: clock.iso() }
  const [reply] = (await luis.api.ok(crewappApi.commands, { body })).results
  return [reply?.result, reply?.reason]
}
const visitOf = (visitId: string) => business.api.ok(visitsApi.get, { params: { visitId } })
const waiting = async (visitId: string) => {
  const { groups } = await business.api.ok(invoicesApi.preview, { query: {} })
  return groups.flatMap((group) => group.visits).find((visit) => visit.id === visitId)
}

beforeAll(async () => {
  business = await aBusiness()
  luis = await business.employee({ name: 'Luis Ortega' })
  crewId = await aCrew(business, { members: [luis] })
  expect((await setRules(gateFee)).status).toBe(200)
})

describe('a skip that is charged', () => {
  it('by the crew waits to be invoiced as its charge, and is on the invoice once', async () => {
    const { visitId } = await aVisit(business, { crewId })
    expect(await tap('skip', visitId, { reason: 'locked_gate' })).toEqual(['applied', null])
    expect(await visitOf(visitId)).toMatchObject({ status: 'skipped', skipChargeCents: 2500, priceCents: 2500 })
    expect(await waiting(visitId)).toMatchObject({ priceCents: 2500, services: 'Locked gate, trip charge' })
    const made = await business.api.ok(invoicesApi.createBatch, { body: { send: false } })
    const { items } = await business.api.ok(invoicesApi.list, { query: { batchId: made.batchId } })
    const invoice = await business.api.ok(invoicesApi.get, { params: { id: items[0]?.id ?? '' } })
    expect(invoice.lines.map((line) => [line.description, line.totalCents])).toEqual([
      [expect.stringContaining('Locked gate, trip charge'), 2500],
    ])
    expect(await waiting(visitId)).toBeUndefined()
    // The way back leads over the invoice.
    expect(await tap('undo_skip', visitId)).toEqual(['conflict', 'billed'])
    const reopen = () => business.api.call(visitsApi.reopen, { params: { visitId }, body: { reason: '' } })
    expect((await reopen()).error.message).toMatch(/on an invoice. Void the invoice first/)
    await business.api.ok(invoicesApi.voidInvoice, { params: { id: invoice.id } })
    expect((await reopen()).status).toBe(200)
    expect(await visitOf(visitId)).toMatchObject({ status: 'scheduled', skipChargeCents: null, priceCents: 5500 })
    expect(await waiting(visitId)).toBeUndefined()
  })

  it('is taken back with its charge by the crew, and books another day at the price of the work', async () => {
    const { visitId } = await aVisit(business, { crewId })
    await tap('skip', visitId, { reason: 'dog' })
    expect(await visitOf(visitId)).toMatchObject({ skipChargeCents: 2750 })
    expect(await tap('undo_skip', visitId)).toEqual(['applied', null])
    expect(await visitOf(visitId)).toMatchObject({ status: 'scheduled', skipChargeCents: null, priceCents: 5500 })
    await tap('skip', visitId, { reason: 'dog' })
    const [day] = (await business.api.ok(visitsApi.calendar, {})).today.split('T')
    const next = new Date(Date.parse(`${day}T12:00:00Z`) + 7 * 86_400_000).toISOString().slice(0, 10)
    const other = await business.api.call(visitsApi.rebook, { params: { visitId }, body: { day: next, crewId: null } })
    if (other.status === 200) expect(other.body).toMatchObject({ priceCents: 5500, skipChargeCents: null })
    expect(await visitOf(visitId)).toMatchObject({ skipChargeCents: 2750 })
  })

  it('costs nothing for the office unless chosen, and Undo takes the charge back', async () => {
    const [{ visitId: free }, { visitId: paid }] = [
      await aVisit(business, { crewId }),
      await aVisit(business, { crewId }),
    ]
    expect((await visitOf(free)).skips.find((one) => one.code === 'locked_gate')).toEqual({
      code: 'locked_gate',
      needsNote: false,
      charged: true,
      chargeCents: 2500,
    })
    const skip = (visitId: string, charge?: boolean) =>
      business.api.ok(visitsApi.skip, {
        params: { visitId },
        body: { reason: 'locked_gate', ...(charge ? { charge } : {}) },
      })
    expect(await skip(free)).toMatchObject({ skipChargeCents: null })
    expect(await waiting(free)).toBeUndefined()
    const done = await skip(paid, true)
    expect(done).toMatchObject({ skipChargeCents: 2500 })
    expect(await waiting(paid)).toMatchObject({ priceCents: 2500 })
    const back = await business.api.ok(visitsApi.undo, { params: { visitId: paid }, body: { version: done.version } })
    expect(back).toMatchObject({ status: 'scheduled', skipChargeCents: null, priceCents: 5500 })
    expect(await waiting(paid)).toBeUndefined()
  })

  it('is never more than what is billed: work by contract is not charged', async () => {
    const { visitId } = await aVisit(business, { crewId })
    await business.db((db) => db.updateTable('visits').set({ billable: false }).where('id', '=', visitId).execute())
    await tap('skip', visitId, { reason: 'locked_gate' })
    expect(await visitOf(visitId)).toMatchObject({ skipChargeCents: null, priceCents: 5500 })
  })
})

describe('the reasons of a business', () => {
  it('are its own, by who uses them; the crew sees no money', async () => {
    const own: SkipRule = {
      code: 'Sprinklers running',
      nameEs: 'Riego encendido',
      usedBy: 'crew',
      needsPhoto: true,
      needsNote: false,
      charge: 'full',
      chargePercent: null,
      chargeCents: null,
    }
    expect(
      (await setRules((rule) => (rule.code === 'too_wet' ? { usedBy: 'office' } : gateFee(rule)), [own])).status,
    ).toBe(200)
    const { text, body } = await luis.api.call(crewappApi.day, { query: {} })
    const codes = body.skips?.map((one) => one.code)
    expect(codes).toContain('Sprinklers running')
    expect(codes).not.toContain('too_wet')
    // whether it is charged, not how much
    expect(text).not.toMatch(/chargeCents|percent|cents|5500/i)
    const { visitId } = await aVisit(business, { crewId })
    const office = await business.api.call(visitsApi.skip, { params: { visitId }, body: { reason: own.code } })
    expect([office.status, office.error.errors?.[0]?.path]).toEqual([422, 'reason'])
    const bare = await business.api.call(visitsApi.skip, { params: { visitId }, body: { reason: 'other' } })
    expect([bare.status, bare.error.errors?.[0]?.path]).toEqual([422, 'note'])
    await tap('skip', visitId, { reason: own.code })
    expect(await visitOf(visitId)).toMatchObject({ skipReason: own.code, skipChargeCents: 5500 })
  })

  it('are checked, and are for people who see money to change', async () => {
    expect((await setRules((rule) => ({ code: rule.code === 'dog' ? 'locked_gate' : rule.code }))).status).toBe(422)
    expect((await setRules(() => ({ usedBy: 'office' }))).status).toBe(422)
    const planner = await aPerson(business.id, 'Admin', { permissions: ['schedule', 'settings'] })
    const settings = await planner.api.ok(businessesApi.get, {})
    expect(settings.skipRules.every((rule) => rule.chargeCents === null)).toBe(true)
    const { version } = settings
    const skipRules = [...usualSkips]
    expect((await planner.api.call(businessesApi.update, { body: { version, skipRules } })).status).toBe(403)
  })
})
