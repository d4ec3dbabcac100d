import sharp from 'sharp'
import { beforeAll, expect, it } from 'vitest'
import { clock } from '../../../platform/clock.ts'
import { newId } from '../../../platform/ids.ts'
import { aBusiness, aPerson, type Person, type TestBusiness } from '../../../test/factories.ts'
import { aCrew, aVisit, everyDay } from '../../../test/field.ts'
import { dashboardApi } from '../../dashboard/contract.ts'
import { doorApi } from '../../payments/door/contract.ts'
import { conflictsApi } from '../conflicts/contract.ts'
import { crewappApi } from '../contract.ts'

/** A check that was taken at a visit which the office deleted meanwhile: money and photo arrive, and stand together. */

let business: TestBusiness
let luis: Person
let crewId: string
beforeAll(async () => {
  business = await aBusiness({ workDays: everyDay })
  await business.db((db) =>
    db.updateTable('businesses').set({ doorPayments: true }).where('businessId', '=', business.id).execute(),
  )
  luis = await aPerson(business.id, 'Employee', { name: 'Luis Ortega', permissions: ['collect'] })
  crewId = await aCrew(business, { members: [luis], workDays: everyDay })
})

const photoTo = async (receiptId: string, who: Pick<Person, 'api'> = luis) => {
  const body = await sharp({ create: { width: 80, height: 40, channels: 3, background: '#fff' } })
    .jpeg()
    .toBuffer()
  return (await who.api.call(crewappApi.addCheckPhoto, { params: { receiptId }, body })).status
}
const drop = (visitId: string) =>
  business.db((db) => db.deleteFrom('visits').where('businessId', '=', business.id).where('id', '=', visitId).execute())
const customerOf = (visitId: string) =>
  business.db(async (db) => {
    const visit = await db
      .selectFrom('visits')
      .select('customerId')
      .where('businessId', '=', business.id)
      .where('id', '=', visitId)
      .executeTakeFirstOrThrow()
    return visit.customerId
  })
const needOf = async (commandId: string) => {
  const { needs } = await business.api.ok(dashboardApi.get, {})
  const need = needs.find(({ action }) => action.kind === 'decide' && action.commandId === commandId)
  return need?.action.kind === 'decide' ? { ...need, action: need.action } : undefined
}
const decide = (id: string, body: { decision: 'counts' | 'stands'; customerId?: string }) =>
  business.api.call(conflictsApi.decide, { params: { id }, body })
const heldBy = async () => (await business.api.ok(doorApi.fieldCash, {})).people.flatMap(({ receipts }) => receipts)

/** A check over $48 of which $8 is a tip, at a visit that is gone when the phone sends. */
const aCheck = async (street: string, more: { receiptBy?: 'sms' } = {}) => {
  const { visitId } = await aVisit(business, { crewId, street })
  const customerId = await customerOf(visitId)
  await drop(visitId)
  const command = {
    id: newId(),
    type: 'collect' as const,
    visitId,
    at: clock.iso(),
    label: street,
    payload: { amountCents: 4800, tipCents: 800, method: 'check' as const, checkNumber: '1042', ...more },
  }
  const { results } = await luis.api.ok(crewappApi.commands, { body: { commands: [command], sentAt: clock.iso() } })
  expect(results).toMatchObject([{ result: 'conflict', reason: 'not_found' }])
  return { command, customerId, id: command.id }
}

it('shows the photo before anybody decides, and books the money with it on whom the office names', async () => {
  const { id, customerId, command } = await aCheck('71 Check Ln')
  expect([await photoTo(id), await photoTo(id)]).toEqual([200, 200])
  const need = await needOf(id)
  expect(need).toMatchObject({ amountCents: 4800, action: { about: 'goneMoney', payer: { id: customerId } } })
  expect(need?.action.photos).toHaveLength(1)
  expect(need?.detail).toContain('Check 1042, $8.00 of it a tip.')
  const unnamed = await decide(id, { decision: 'counts' })
  expect([unnamed.status, unnamed.error.message]).toEqual([409, expect.stringContaining('Say whose money this is')])
  const foreign = await aBusiness()
  const theirs = await aVisit(foreign)
  const { customerId: stranger } = await foreign.db((db) =>
    db.selectFrom('visits').select('customerId').where('id', '=', theirs.visitId).executeTakeFirstOrThrow(),
  )
  expect((await decide(id, { decision: 'counts', customerId: stranger })).status).toBe(404)
  expect((await decide(id, { decision: 'counts', customerId })).status).toBe(200)
  const receipt = (await heldBy()).find((one) => one.id === id)
  expect(receipt).toMatchObject({
    customer: { id: customerId },
    amountCents: 4800,
    method: 'check',
    checkNumber: '1042',
  })
  expect(receipt?.photoUrl).toContain('/')
  expect(await needOf(id)).toBeUndefined()
  const shares = await business.db((db) =>
    db
      .selectFrom('tipShares')
      .select(['userId', 'cents'])
      .where('businessId', '=', business.id)
      .where('paymentId', '=', receipt?.paymentId ?? '')
      .execute(),
  )
  expect(shares).toEqual([{ userId: luis.userId, cents: 800 }])
  // the phone hears it, and what it sends again changes nothing
  const { answers } = await luis.api.ok(crewappApi.day, { query: {} })
  expect(answers?.find(({ commandId }) => commandId === id)?.decision).toBe('counts')
  const body = { commands: [{ ...command, attempt: 2 }], sentAt: clock.iso() }
  expect((await luis.api.ok(crewappApi.commands, { body })).results).toMatchObject([{ result: 'duplicate' }])
  expect((await heldBy()).filter((one) => one.id === id)).toHaveLength(1)
})

it('says no sum in words to who may not see money, books on nobody who was merged away, and writes down no wish for a receipt', async () => {
  const { command, id, customerId } = await aCheck('75 Check Ln', { receiptBy: 'sms' })
  const clerk = await aPerson(business.id, 'Admin', { permissions: ['customers', 'schedule'] })
  const seen = (await clerk.api.ok(dashboardApi.get, {})).needs.find((one) =>
    one.id.startsWith(`conflict:${command.visitId}`),
  )
  expect([seen?.amountCents, seen?.detail.includes('A check.')]).toEqual([null, true])
  expect(JSON.stringify(seen)).not.toMatch(/\$|1042/)
  const archive = (back: object) =>
    business.db((db) =>
      db
        .updateTable('customers')
        .set(back)
        .where('businessId', '=', business.id)
        .where('id', '=', customerId)
        .execute(),
    )
  await archive({ archivedAt: clock.iso() })
  const gone = await decide(id, { decision: 'counts', customerId })
  expect([gone.status, gone.error.message]).toEqual([409, expect.stringContaining('archived')])
  await archive({ archivedAt: null, phone: '+19125550188' })
  expect((await decide(id, { decision: 'counts', customerId })).status).toBe(200)
  const consents = await business.db((db) =>
    db
      .selectFrom('consentEvents')
      .select('id')
      .where('businessId', '=', business.id)
      .where('source', '=', 'door receipt')
      .execute(),
  )
  expect(consents).toEqual([])
})

it('takes a photo that was still on its way when the office decided', async () => {
  const { id, customerId } = await aCheck('72 Check Ln')
  expect((await decide(id, { decision: 'counts', customerId })).status).toBe(200)
  expect((await heldBy()).find((one) => one.id === id)?.photoUrl).toBeNull()
  expect(await photoTo(id)).toBe(200)
  expect((await heldBy()).find((one) => one.id === id)?.photoUrl).toContain('/')
})

it('keeps the photo of money that does not count, and takes none from somebody else', async () => {
  const { id } = await aCheck('73 Check Ln')
  const ana = await aPerson(business.id, 'Employee', { name: 'Ana Reyes', permissions: ['collect'] })
  expect([await photoTo(id, ana), await photoTo(newId())]).toEqual([404, 404])
  expect((await decide(id, { decision: 'stands' })).status).toBe(200)
  expect(await photoTo(id)).toBe(200)
  expect((await heldBy()).some((one) => one.id === id)).toBe(false)
})

it("the photo of a check is never the visit's, also where the mowing of the same visit counts", async () => {
  const other = await aCrew(business, { name: 'South', members: [], workDays: everyDay })
  const { visitId } = await aVisit(business, { crewId: other, street: '74 Check Ln' })
  const tap = (type: 'finish' | 'collect', payload: object) => ({
    id: newId(),
    type,
    visitId,
    at: clock.iso(),
    payload,
  })
  const [finish, collect] = [tap('finish', {}), tap('collect', { amountCents: 900, method: 'check', checkNumber: '7' })]
  await luis.api.ok(crewappApi.commands, { body: { commands: [finish, collect], sentAt: clock.iso() } })
  expect(await photoTo(collect.id)).toBe(200)
  expect((await needOf(finish.id))?.action.photos).toEqual([])
  expect((await needOf(collect.id))?.action.photos).toHaveLength(1)
  expect((await decide(finish.id, { decision: 'counts' })).status).toBe(200)
  const onVisit = await business.db((db) =>
    db
      .selectFrom('visitPhotos')
      .select('id')
      .where('businessId', '=', business.id)
      .where('visitId', '=', visitId)
      .execute(),
  )
  expect(onVisit).toEqual([])
  expect((await decide(collect.id, { decision: 'counts' })).status).toBe(200)
  expect((await heldBy()).find((one) => one.id === collect.id)?.photoUrl).toContain('/')
})
