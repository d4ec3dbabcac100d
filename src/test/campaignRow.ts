import { type Content, noWords } from '../features/campaigns/content/rules.ts'
import { campaignsApi } from '../features/campaigns/contract.ts'
import { campaignStepTx } from '../features/campaigns/server/sending.ts'
import { customersApi } from '../features/customers/contract.ts'
import { recordConsent, suppress } from '../features/messages/server/commands.ts'
import { clock, setClock } from '../platform/clock.ts'
import { runTasks } from './api.ts'
import { aBusiness, type TestBusiness } from './factories.ts'
import { setClockToNoon } from './field.ts'

/** A small list of customers of which some can be reached, and campaigns to them. */

export const words = (changes: Partial<Content['en']> = {}): Content => ({
  en: { ...noWords, subject: 'Aeration', blocks: [{ kind: 'text', text: 'Hi {customer first name}' }], ...changes },
  es: noWords,
})
export const text: Content = { en: { ...noWords, text: 'Hi {customer first name}, from {business name}' }, es: noWords }

const people = [
  { name: 'Ann Lee', phone: '(912) 555-0101', email: 'ann@oak.test', tags: ['vip'] },
  { name: 'Rosa Diaz', phone: '(912) 555-0102', email: 'rosa@oak.test', language: 'es' },
  { name: 'Ben Cole', email: 'ben@oak.test', stage: 'past' },
  { name: 'Gil Stopped', phone: '(912) 555-0104' },
  { name: 'Nora Nowhere' },
] as const

export const aRow = async () => {
  setClockToNoon()
  const business = await aBusiness({ name: 'Oak Lawn' })
  const ids: string[] = []
  for (const person of people) ids.push((await business.api.ok(customersApi.create, { body: person as never })).id)
  await business.db(async (db) => {
    const agreed = (channel: 'email' | 'sms', address: string) =>
      recordConsent(db, { channel, address, purpose: 'marketing', action: 'grant', source: 'test' })
    for (const address of ['ann@oak.test', 'rosa@oak.test', 'ben@oak.test']) await agreed('email', address)
    for (const address of ['+19125550101', '+19125550104']) await agreed('sms', address)
    await suppress(db, 'sms', '+19125550104', 'all', 'They replied STOP')
  })
  return { ...business, ids }
}

export const withAddress = (business: TestBusiness) =>
  business.db((db) =>
    db
      .updateTable('businesses')
      .set({ street: '4 Mill Ln', city: 'Savannah', state: 'GA', zip: '31401' })
      .where('businessId', '=', business.id)
      .execute(),
  )

export const make = (business: TestBusiness, changes: object = {}) =>
  business.api.ok(campaignsApi.create, {
    body: { name: 'Fall', channel: 'email', content: words(), ...changes } as never,
  })

export const begin = async (business: TestBusiness, changes: object = {}) => {
  const { id, version } = await make(business, changes)
  return business.api.ok(campaignsApi.start, { params: { id }, body: { version } })
}

export const finish = async (business: TestBusiness, id: string): Promise<void> => {
  for (let turn = 0; turn < 20; turn++) {
    await business.db(async (db) => {
      while (await campaignStepTx(db, id));
    })
    await runTasks()
    const ahead = clock.nowMs() + 60_000 - Date.now()
    setClock(() => new Date(Date.now() + ahead))
  }
}
