import { expect, it } from 'vitest'
import { newId } from '../../../../platform/ids.ts'
import { runTasks, stranger } from '../../../../test/api.ts'
import { cardOf, subjects, withCard } from '../../../../test/cards.ts'
import type { TestBusiness } from '../../../../test/factories.ts'

const wordsOf = (text: string) =>
  text
    .replace(/<style>.*?<\/style>/s, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
const plain = (text: string) => text.replaceAll('&#x27;', "'").replaceAll('&amp;', '&')

/** The customer's browser, signed in to the portal. */
const signIn = async (own: TestBusiness, address = 'ann@test.swath.test') => {
  const { slug } = await own.db((db) =>
    db.selectFrom('businesses').select('slug').where('businessId', '=', own.id).executeTakeFirstOrThrow(),
  )
  const base = `/portal/${slug}`
  let cookie = ''
  const go = async (method: 'GET' | 'POST', url: string, fields?: Record<string, string>) => {
    const answer = await stranger.raw({
      method,
      url,
      headers: {
        ...(cookie ? { cookie } : {}),
        ...(fields ? { 'content-type': 'application/x-www-form-urlencoded' } : {}),
      },
      ...(fields ? { payload: new URLSearchParams(fields).toString() } : {}),
    })
    const set = [answer.headers['set-cookie']].flat().find((one) => String(one).startsWith('swath_portal='))
    if (set) cookie = String(set).split(';')[0] ?? ''
    return { ...answer, words: wordsOf(answer.text) }
  }
  await go('POST', `${base}/link`, { address })
  await runTasks()
  const { bodyText } = await own.db((db) =>
    db
      .selectFrom('messages')
      .select('bodyText')
      .where('businessId', '=', own.id)
      .where('entityType', '=', 'portal')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow(),
  )
  await go('POST', `${/\/portal\/[\w-]{43}/.exec(bodyText)?.[0]}/enter`, {})
  return {
    bills: () => go('GET', `${base}/bills`),
    post: (path: string, fields: Record<string, string> = {}) => go('POST', `${base}/bills${path}`, fields),
    follow: (answer: { headers: Record<string, unknown> }) => go('GET', String(answer.headers.location)),
  }
}

const waiting = (own: TestBusiness) =>
  own.db((db) =>
    db
      .selectFrom('autopayCharges')
      .select('status')
      .where('businessId', '=', own.id)
      .where('status', '=', 'waiting')
      .execute(),
  )

it('is turned off by the customer with the card kept, and on again only with the words that they read', async () => {
  const { own, customerId } = await withCard()
  const window = await signIn(own)
  expect((await window.bills()).words).toMatch(/Visa.*pays your invoices by itself/)
  const off = await window.post('/autopay/off')
  expect(off.status).toBe(303)
  const after = await window.follow(off)
  expect(after.words).toContain('Autopay is off. Nothing is charged by itself any more; your card stays on file.')
  expect(after.words).toMatch(/Visa.* is on file\. It pays nothing by itself\./)
  expect(await cardOf(own, customerId)).toMatchObject({ autopay: false, stoppedByHolder: true, can: { turnOn: false } })
  expect(await waiting(own)).toEqual([])
  // again is the same, and is told once
  await window.post('/autopay/off')
  await runTasks()
  expect((await subjects(own)).filter((subject) => /Autopay.*off/i.test(subject))).toHaveLength(1)

  const mandate = plain(/name="mandate" value="([^"]*)"/.exec((await window.bills()).text)?.[1] ?? '')
  expect(mandate).toContain('I let Green Test Lawns keep this card')
  const wrong = await window.post('/autopay/on', { mandate: mandate.replace('each', 'no') })
  expect([wrong.status, wrong.words.includes('The terms changed while you read them.')]).toEqual([409, true])
  expect((await window.post('/autopay/on')).status).toBe(409)
  expect((await cardOf(own, customerId))?.autopay).toBe(false)

  const on = await window.post('/autopay/on', { mandate })
  expect(on.status).toBe(303)
  expect((await window.follow(on)).words).toContain('Autopay is on again.')
  expect(await cardOf(own, customerId)).toMatchObject({
    autopay: true,
    stoppedByHolder: false,
    mandate: { text: mandate, page: 'portal' },
  })
  expect((await window.post('/autopay/on', { mandate })).status).toBe(303)
})

it('says what to do where the card cannot pay by itself, and changes nothing', async () => {
  const { own, customerId } = await withCard()
  const window = await signIn(own)
  await window.post('/autopay/off')
  const mandate = plain(/name="mandate" value="([^"]*)"/.exec((await window.bills()).text)?.[1] ?? '')
  await own.db((db) =>
    db
      .updateTable('paymentMethods')
      .set({ expMonth: 1, expYear: 2020 })
      .where('businessId', '=', own.id)
      .where('customerId', '=', customerId)
      .execute(),
  )
  const refused = await window.post('/autopay/on', { mandate })
  expect([refused.status, refused.words.includes('This card cannot pay by itself now.')]).toEqual([409, true])
  expect((await cardOf(own, customerId))?.autopay).toBe(false)
})

it('is removed with the card, once, and the office is told', async () => {
  const { own, customerId } = await withCard()
  const window = await signIn(own)
  const removed = await window.post('/card/remove')
  expect(removed.status).toBe(303)
  const after = await window.follow(removed)
  expect(after.words).toContain('The card is removed. Nothing is charged by itself any more.')
  expect(after.words).not.toContain('Visa')
  expect(await cardOf(own, customerId)).toBeNull()
  expect(await waiting(own)).toEqual([])
  expect((await window.post('/card/remove')).status).toBe(303)
  const told = await own.db((db) =>
    db
      .selectFrom('notifications')
      .select('title')
      .where('businessId', '=', own.id)
      .where('title', 'like', '%removed their payment method')
      .execute(),
  )
  expect(told).toHaveLength(1)
})

it('is no matter of who does not decide: a contact who only gets invoices changes nothing', async () => {
  const { own, customerId } = await withCard()
  await own.db((db) =>
    db
      .insertInto('customerContacts')
      .values({
        ...{ businessId: own.id, id: newId(), customerId, name: 'Bo Keeper', email: 'bo@test.swath.test' },
        ...{ role: 'tenant', invoicesBy: 'email' },
      })
      .execute(),
  )
  const window = await signIn(own, 'bo@test.swath.test')
  for (const path of ['/autopay/off', '/autopay/on', '/card/remove']) expect((await window.post(path)).status).toBe(403)
  expect(await cardOf(own, customerId)).toMatchObject({ autopay: true })
})
