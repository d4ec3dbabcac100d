import { type Content, noWords } from '../features/campaigns/content/rules.ts'
import { type Campaign, campaignsApi } from '../features/campaigns/contract.ts'
import { campaignStepTx } from '../features/campaigns/server/sending.ts'
import { recordConsent } from '../features/messages/server/commands.ts'
import { clock, setClock } from '../platform/clock.ts'
import { newId } from '../platform/ids.ts'
import { apiFor, runTasks } from './api.ts'
import { aBusiness, type TestBusiness } from './factories.ts'
import { setClockToNoon } from './field.ts'

/** Their session lives for minutes of the clock, which these tests move on by hours. */
export const apiNow = (business: TestBusiness) => apiFor(business.owner)

/** Moves the clock on from where it stands. */
export const later = (minutes: number) => {
  const ahead = clock.nowMs() + minutes * 60_000 - Date.now()
  setClock(() => new Date(Date.now() + ahead))
}

export const mail = (changes: Partial<Content['en']> = {}): Content => ({
  en: {
    ...noWords,
    subject: 'Fall aeration for {customer first name}',
    blocks: [
      { kind: 'text', text: 'Hi {customer first name}, it is time. {business name}' },
      { kind: 'button', label: 'Ask for a price', to: 'url', url: 'https://oak.test/aeration' },
    ],
    ...changes,
  },
  es: noWords,
})
export const text: Content = {
  en: { ...noWords, text: 'Hi {customer first name}, aeration time. {business name}' },
  es: noWords,
}

/** A business with customers who agreed to offers by mail and text. */
export const anAudience = async (count: number) => {
  setClockToNoon()
  const business = await aBusiness({ name: 'Oak Lawn' })
  const ids = Array.from({ length: count }, () => newId())
  await business.db(async (db) => {
    await db
      .updateTable('businesses')
      .set({ street: '4 Mill Ln', city: 'Savannah', state: 'GA', zip: '31401' })
      .where('businessId', '=', business.id)
      .execute()
    for (const [at, id] of ids.entries()) {
      const [email, phone] = [`c${at}-${id.slice(-6)}@oak.test`, `+1912555${String(1000 + at)}`]
      await db
        .insertInto('customers')
        .values({ businessId: business.id, id, name: `Customer ${at}`, email, phone })
        .execute()
      for (const [channel, address] of [
        ['email', email],
        ['sms', phone],
      ] as const)
        await recordConsent(db, { channel, address, purpose: 'marketing', action: 'grant', source: 'test' })
    }
  })
  return { ...business, ids }
}

type Made = Parameters<TestBusiness['api']['ok']>[1]['body']
export const aCampaign = async (business: TestBusiness, changes: Record<string, unknown> = {}): Promise<Campaign> =>
  (await apiNow(business)).ok(campaignsApi.create, {
    body: { name: 'Aeration', channel: 'email', content: mail(), perHour: 600, ...changes } as Made as never,
  })

export const begin = async (business: TestBusiness, changes: Record<string, unknown> = {}): Promise<Campaign> => {
  const made = await aCampaign(business, changes)
  return (await apiNow(business)).ok(campaignsApi.start, { params: { id: made.id }, body: { version: made.version } })
}

export const outbox = (business: TestBusiness, id: string) =>
  business.db((db) =>
    db
      .selectFrom('messages')
      .select([
        'id',
        'address',
        'subject',
        'bodyText',
        'bodyHtml',
        'purpose',
        'status',
        'dedupeKey',
        'reason',
        'customerId',
      ])
      .where('businessId', '=', business.id)
      .where('entityType', '=', 'campaign')
      .where('entityId', '=', id)
      .orderBy('id')
      .execute(),
  )
export const sentTo = async (business: TestBusiness, id: string): Promise<string[]> =>
  (await outbox(business, id))
    .filter(({ status }) => status === 'sent' || status === 'delivered')
    .map(({ address }) => address)

/** Runs what is due by the test's clock: the queue goes by the database's. */
export const work = async (business: TestBusiness, id: string): Promise<void> => {
  await business.db(async (db) => {
    while (await campaignStepTx(db, id));
  })
  await runTasks()
}

/** Lets time go by, minute by minute, until a campaign needs no more steps. */
export const runUntil = async (business: TestBusiness, id: string, done: (one: Campaign) => boolean, minutes = 1) => {
  for (let turn = 0; turn < 60; turn++) {
    await work(business, id)
    const now = await (await apiNow(business)).ok(campaignsApi.get, { params: { id } })
    if (done(now)) return now
    later(minutes)
  }
  throw new Error('The campaign never got there.')
}
export const isOver = ({ status }: Campaign) => status === 'finished'
