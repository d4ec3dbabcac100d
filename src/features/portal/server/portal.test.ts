import { describe, expect, it } from 'vitest'
import { newId } from '../../../platform/ids.ts'
import { addDays } from '../../../shared/dates.ts'
import { runTasks, stranger } from '../../../test/api.ts'
import { ago, aProduct, aRecord } from '../../../test/chemicals.ts'
import { aBusiness, type TestBusiness } from '../../../test/factories.ts'
import { aCrew, aLawn, aVisit, everyDay, publishDay, today } from '../../../test/field.ts'
import { readPdf } from '../../../test/papers.ts'
import { aCustomer, browser, email, giveMail, linksTo, signIn, slugOf } from '../../../test/portal.ts'
import { recordsApi } from '../../chemicals/records/contract.ts'
import { customersApi } from '../../customers/contract.ts'
import { invoicesApi } from '../../invoices/contract.ts'
import { consentsApi } from '../../messages/consents/contract.ts'
import { messagesApi } from '../../messages/contract.ts'
import { servicesApi } from '../../services/contract.ts'
import { tasksApi } from '../../tasks/contract.ts'
import { timelineApi } from '../../timeline/contract.ts'
import { visitsApi } from '../../visits/contract.ts'
import { portalApi } from '../contract.ts'

const settings = (own: TestBusiness, changes: object) =>
  own.api
    .ok(portalApi.settings, {})
    .then(({ version }) => own.api.ok(portalApi.saveSettings, { body: { ...changes, version } }))

describe('signing in', () => {
  it('says the same to everybody, sends a link to who is known, and takes it once by a press', async () => {
    const own = await aBusiness({ name: 'Palmetto Lawn' })
    await aCustomer(own)
    const base = `/portal/${await slugOf(own)}`
    const window = browser()
    const known = await window.post(`${base}/link`, { address: ' ANN@test.swath.test ' })
    const unknown = await window.post(`${base}/link`, { address: 'who@test.swath.test' })
    expect([known.status, unknown.status]).toEqual([200, 200])
    expect(known.words.replaceAll(email, 'X')).toBe(unknown.words.replaceAll('who@test.swath.test', 'X'))
    expect(await linksTo(own, 'who@test.swath.test')).toEqual([])
    const [link = ''] = await linksTo(own)
    // a scanner that opens the link uses nothing up
    for (let time = 0; time < 2; time++) {
      const looked = await browser().get(link)
      expect([looked.status, looked.headers['set-cookie'], looked.headers['cache-control']]).toEqual([
        200,
        undefined,
        'no-store',
      ])
      expect(looked.words).toContain('Open my portal')
    }
    const first = await window.post(`${link}/enter`)
    expect(first.status).toBe(303)
    const set = String(first.headers['set-cookie'])
    expect(set).toContain(`Path=${base}`)
    expect(set).toContain('HttpOnly')
    expect(set).toContain('SameSite=Lax')
    const again = await browser().post(`${link}/enter`)
    expect(again.status).toBe(410)
    expect(again.words).toContain('This link was used already')
    const home = await window.get(base)
    expect(home.words).toContain('Hello, Ann')
    expect(home.words).toContain('Mow, edge, blow')
  })

  it('sends a text to a number, and nothing of it stands where the office reads', async () => {
    const own = await aBusiness()
    const { customerId } = await aCustomer(own)
    await giveMail(own, customerId, null, { phone: '+19125550147' })
    await browser().post(`/portal/${await slugOf(own)}/link`, { address: '(912) 555-0147' })
    const [link] = await linksTo(own, '+19125550147')
    expect(link).toMatch(/^\/portal\//)
    const { items } = await own.api.ok(messagesApi.conversations, { query: {} })
    expect(JSON.stringify(items)).not.toContain('/portal/')
    const list = await own.api.ok(messagesApi.list, { query: { address: '+19125550147' } })
    expect(list.items).toEqual([])
    const line = await own.api.ok(timelineApi.list, { params: { id: customerId }, query: {} })
    expect(JSON.stringify(line.items)).not.toContain('/portal/')
  })

  it('refuses what is no address, and too many tries, in words', async () => {
    const own = await aBusiness()
    const base = `/portal/${await slugOf(own)}`
    const wrong = await browser().post(`${base}/link`, { address: 'nobody' })
    expect([wrong.status, wrong.words.includes('neither an e-mail address')]).toEqual([422, true])
    for (let time = 0; time < 4; time++) await browser().post(`${base}/link`, { address: 'a@test.swath.test' })
    const late = await browser().post(`${base}/link`, { address: 'a@test.swath.test' })
    expect([late.status, late.words.includes('please try again in')]).toEqual([429, true])
  })

  it('has a page for each link that does not open', async () => {
    const own = await aBusiness()
    const other = await aBusiness()
    const { customerId } = await aCustomer(own)
    const base = `/portal/${await slugOf(own)}`
    const window = await signIn(own)
    expect((await browser().get(`/portal/${'x'.repeat(43)}`)).status).toBe(404)
    expect((await browser().post(`/portal/${'x'.repeat(43)}/enter`)).status).toBe(404)
    // a session of one business opens nothing of another
    const foreign = await browser(window.cookie()).get(`/portal/${await slugOf(other)}`)
    expect(foreign.words).toContain('Send me a link')
    await browser().post(`${base}/link`, { address: email })
    const [link = ''] = await linksTo(own)
    await own.db((db) =>
      db
        .updateTable('portalLinks')
        .set({ expiresAt: '2020-01-01T00:00:00Z' })
        .where('businessId', '=', own.id)
        .execute(),
    )
    const old = await browser().post(`${link}/enter`)
    expect([old.status, (await browser().get(link)).words.includes('too old')]).toEqual([410, true])
    await own.db((db) =>
      db
        .updateTable('customers')
        .set({ archivedAt: '2026-01-01T00:00:00Z' })
        .where('businessId', '=', own.id)
        .where('id', '=', customerId)
        .execute(),
    )
    expect((await window.get(base)).words).toContain('Your account with us is not active')
    await settings(own, { enabled: false })
    expect((await window.get(base)).words).toContain('has no portal right now')
    await own.db((db) =>
      db
        .updateTable('businesses')
        .set({ closedAt: '2026-01-01T00:00:00Z', deleteAfter: '2099-01-01' })
        .where('businessId', '=', own.id)
        .execute(),
    )
    const closed = await browser().get(base)
    expect([closed.status, closed.words.includes('does not take sign-ins')]).toEqual([410, true])
  })

  it('lets one address choose among its records, and a contact in with their rights', async () => {
    const own = await aBusiness()
    const first = await aCustomer(own)
    const second = await aLawn(own, { customer: 'Oak Street HOA', street: '9 Oak St' })
    await own.db(async (db) => {
      await db
        .insertInto('customerContacts')
        .values({
          businessId: own.id,
          id: newId(),
          customerId: second.customerId,
          name: 'Ann at the gate',
          role: 'tenant',
          email,
          visitsBy: 'email',
        })
        .execute()
    })
    const window = await signIn(own)
    const choice = await window.get(window.base)
    expect(choice.words).toContain('Which one would you like to open?')
    expect(choice.words).toContain('Oak Street HOA')
    // somebody else's record is not chosen
    const third = await aLawn(own, { customer: 'Carl Secret' })
    await window.post(`${window.base}/choose`, { customerId: third.customerId })
    expect((await window.get(window.base)).words).toContain('Which one would you like to open?')
    await window.post(`${window.base}/choose`, { customerId: second.customerId })
    const bills = await window.get(`${window.base}/bills`)
    expect(bills.words).toContain('Bills are shown to whoever gets the invoices')
    expect((await window.post(`${window.base}/bills/statement`)).status).toBe(403)
    expect((await window.get(`${window.base}/service`)).status).toBe(403)
    expect((await window.get(`${window.base}/visits/${first.visitId}`)).status).toBe(404)
  })

  it('ends here, everywhere, and when the address is on file no more', async () => {
    const own = await aBusiness()
    const { customerId } = await aCustomer(own)
    const one = await signIn(own)
    const two = await signIn(own)
    await one.post(`${one.base}/out`)
    expect((await one.get(one.base)).words).toContain('Send me a link')
    expect((await two.get(two.base)).words).toContain('Hello, Ann')
    const three = await signIn(own)
    await three.post(`${three.base}/out`, { everywhere: '1' })
    expect((await two.get(two.base)).words).toContain('Please sign in again')
    const four = await signIn(own)
    await giveMail(own, customerId, 'new@test.swath.test')
    expect((await four.get(four.base)).words).toContain('Please sign in again')
  })

  it('takes no form of another site', async () => {
    const own = await aBusiness()
    const { visitId } = await aCustomer(own)
    const window = await signIn(own)
    const answer = await stranger.raw({
      method: 'POST',
      url: `${window.base}/visits/${visitId}/skip`,
      headers: {
        cookie: window.cookie(),
        'sec-fetch-site': 'cross-site',
        'content-type': 'application/x-www-form-urlencoded',
      },
      payload: `day=${addDays(today(), 7)}`,
    })
    expect(answer.status).toBe(403)
    expect((await own.api.ok(visitsApi.get, { params: { visitId } })).status).toBe('scheduled')
  })

  it('is sent by the office, with a reason where it cannot be', async () => {
    const own = await aBusiness()
    const { customerId } = await aCustomer(own)
    const sent = await own.api.ok(portalApi.sendLink, { params: { id: customerId }, body: { by: 'email' } })
    expect(sent.address).toBe(email)
    expect(await linksTo(own)).toHaveLength(1)
    const noPhone = await own.api.call(portalApi.sendLink, { params: { id: customerId }, body: { by: 'sms' } })
    expect([noPhone.status, JSON.stringify(noPhone.body)]).toEqual([409, expect.stringContaining('no mobile number')])
    const other = await aBusiness()
    expect(
      (await other.api.call(portalApi.sendLink, { params: { id: customerId }, body: { by: 'email' } })).status,
    ).toBe(404)
  })
})

describe('a visit', () => {
  it('is skipped once by the rule, its crew and the office hear of it, and it is taken back', async () => {
    const own = await aBusiness()
    const crewId = await aCrew(own)
    const day = addDays(today(), 7)
    const { visitId } = await aCustomer(own, { crewId, day, position: 1 })
    await publishDay(own, crewId, day)
    const window = await signIn(own)
    const page = await window.get(`${window.base}/visits/${visitId}`)
    expect(page.words).toContain('It costs you nothing.')
    for (let press = 0; press < 2; press++) {
      const done = await window.post(`${window.base}/visits/${visitId}/skip`, { day })
      expect([done.status, done.headers.location]).toEqual([303, `${window.base}/visits/${visitId}?done=skip`])
    }
    const visit = await own.api.ok(visitsApi.get, { params: { visitId } })
    expect([visit.status, visit.skipReason, visit.skipChargeCents]).toEqual(['skipped', 'customer_asked', null])
    expect(visit.history.filter(({ text }) => /skip/i.test(text))).toHaveLength(1)
    const told = await own.db((db) =>
      db
        .selectFrom('notifications')
        .select('title')
        .where('businessId', '=', own.id)
        .where('dedupeKey', 'like', 'portal-skip:%')
        .execute(),
    )
    expect(told).toHaveLength(1)
    const back = await window.post(`${window.base}/visits/${visitId}/unskip`)
    expect(back.status).toBe(303)
    expect((await own.api.ok(visitsApi.get, { params: { visitId } })).status).toBe('scheduled')
  })

  it('costs what the reason of the business costs', async () => {
    const own = await aBusiness()
    const { visitId } = await aCustomer(own, { priceCents: 5000 })
    await own.db((db) =>
      db
        .updateTable('businesses')
        .set({
          skipRules: JSON.stringify([
            {
              code: 'customer_asked',
              nameEs: '',
              usedBy: 'both',
              needsPhoto: false,
              needsNote: false,
              charge: 'percent',
              chargePercent: 50,
              chargeCents: null,
            },
          ]),
        })
        .where('businessId', '=', own.id)
        .execute(),
    )
    const window = await signIn(own)
    expect((await window.get(`${window.base}/visits/${visitId}`)).words).toContain('Skipping it costs $25.00')
    await window.post(`${window.base}/visits/${visitId}/skip`, { day: addDays(today(), 7) })
    expect((await own.api.ok(visitsApi.get, { params: { visitId } })).skipChargeCents).toBe(2500)
  })

  it('is not skipped too late, when it was moved meanwhile, where it is off, or by a foreign hand', async () => {
    const own = await aBusiness()
    const near = await aCustomer(own, { day: addDays(today(), 1) })
    const window = await signIn(own)
    const late = await window.post(`${window.base}/visits/${near.visitId}/skip`, { day: addDays(today(), 1) })
    expect([late.status, late.words.includes('too late to skip')]).toEqual([409, true])
    const moved = await window.post(`${window.base}/visits/${near.visitId}/skip`, { day: addDays(today(), 5) })
    expect([moved.status, moved.words.includes('was moved to')]).toEqual([409, true])
    await settings(own, { skipHours: 0 })
    expect((await window.post(`${window.base}/visits/${near.visitId}/skip`, { day: addDays(today(), 1) })).status).toBe(
      303,
    )
    const theirs = await aVisit(own, { day: addDays(today(), 7), customer: 'Carl Secret' })
    for (const id of [theirs.visitId, newId(), 'x'])
      expect((await window.post(`${window.base}/visits/${id}/skip`, { day: addDays(today(), 7) })).status).toBe(404)
    expect((await own.api.ok(visitsApi.get, { params: { visitId: theirs.visitId } })).status).toBe('scheduled')
    await settings(own, { skipAllowed: false })
    const off = await aVisit(own, { day: addDays(today(), 9) })
    await own.db((db) =>
      db
        .updateTable('visits')
        .set({ customerId: near.customerId })
        .where('businessId', '=', own.id)
        .where('id', '=', off.visitId)
        .execute(),
    )
    expect((await window.post(`${window.base}/visits/${off.visitId}/skip`, { day: addDays(today(), 9) })).status).toBe(
      409,
    )
  })
})

describe('money and papers', () => {
  it('are the customer’s alone, and lead to the pages that are there', async () => {
    const own = await aBusiness()
    const { customerId } = await aCustomer(own)
    const carl = await aLawn(own, { customer: 'Carl Secret' })
    const issue = async (id: string, unitPriceCents: number) => {
      const lines = [{ description: 'Mowing', quantity: 1, unitPriceCents }]
      const made = await own.api.ok(invoicesApi.create, { body: { customerId: id, lines } })
      return own.api.ok(invoicesApi.issue, { params: { id: made.id } })
    }
    const mine = await issue(customerId, 5500)
    const theirs = await issue(carl.customerId, 4711)
    const window = await signIn(own)
    const bills = await window.get(`${window.base}/bills`)
    expect(bills.words).toContain('$55.00')
    expect(bills.text).toContain(mine.publicPath)
    expect(bills.text).not.toContain(theirs.publicPath)
    expect(bills.words).not.toContain('47.11')
    const papers = await window.get(`${window.base}/papers`)
    expect(papers.words).toContain(`INV-${mine.number}`)
    const pdf = /\/api\/public\/invoices\/[\w-]+\/pdf/.exec(papers.text)?.[0] ?? ''
    expect((await stranger.raw({ method: 'GET', url: pdf })).status).toBe(200)
    const led = await window.post(`${window.base}/bills/statement`)
    expect(led.status).toBe(303)
    const statement = await window.get(String(led.headers.location))
    expect(statement.words).toContain('Statement for Ann Odom')
    expect(statement.text).toContain(`href="${window.base}/bills"`)
    const card = await window.post(`${window.base}/bills/card`)
    expect(String(card.headers.location)).toMatch(/^\/card\//)
  })
})

it('shows past visits with their photos, only theirs, and only where the business shares them', async () => {
  const own = await aBusiness({ workDays: everyDay })
  const { visitId } = await aCustomer(own, { day: addDays(today(), -7), status: 'completed' })
  const other = await aVisit(own, { day: addDays(today(), -7), status: 'completed', customer: 'Carl Secret' })
  const fileOf = async (id: string) => {
    const fileId = newId()
    const file = { kind: 'photo' as const, mime: 'image/jpeg', byteCount: 1, sha256: fileId, storageKey: fileId }
    await own.db(async (db) => {
      await db
        .insertInto('files')
        .values({ businessId: own.id, id: fileId, ...file })
        .execute()
      await db
        .insertInto('visitPhotos')
        .values({ businessId: own.id, id: newId(), visitId: id, fileId, kind: 'after' })
        .execute()
    })
    return fileId
  }
  const [mine, theirs] = [await fileOf(visitId), await fileOf(other.visitId)]
  const window = await signIn(own)
  const visits = await window.get(`${window.base}/visits`)
  const page = await window.get(`${window.base}/visits/${visitId}`)
  for (const { text } of [visits, page]) {
    expect(text).toContain(mine)
    expect(text).not.toContain(theirs)
  }
  expect((await window.get(`${window.base}/visits/${other.visitId}`)).status).toBe(404)
  await own.db((db) =>
    db.updateTable('businesses').set({ sharePhotos: false }).where('businessId', '=', own.id).execute(),
  )
  for (const path of ['/visits', `/visits/${visitId}`])
    expect((await window.get(`${window.base}${path}`)).text).not.toContain(mine)
})

it('gives the records of what was applied to their own lawns as a PDF', async () => {
  const own = await aBusiness({ workDays: everyDay })
  const { visitId } = await aCustomer(own, { day: today(), status: 'completed' })
  const other = await aVisit(own, { status: 'completed', customer: 'Carl Secret', street: '9 Hidden Way' })
  const { id } = await aProduct(own.api)
  const more = { startedAt: ago(30), endedAt: ago(10), incident: 'Spilled a cup', neighborsTold: 'Mrs. Doe' }
  for (const one of [visitId, other.visitId])
    await own.api.ok(recordsApi.add, { params: { visitId: one }, body: aRecord(id, own.owner.userId, more) })
  const window = await signIn(own)
  const papers = await window.get(`${window.base}/papers`)
  expect(papers.words).toContain('All records as PDF')
  const answer = await window.file(`${window.base}/papers/treatments`)
  expect([answer.status, answer.headers['content-type']]).toEqual([200, 'application/pdf'])
  const text = (await readPdf(answer.bytes)).flat().join(' ')
  expect(text).toContain('Trimec')
  expect(text).not.toMatch(/Hidden Way|Spilled|Mrs\. Doe/)
  const signedOut = await browser().get(`${window.base}/papers/treatments`)
  expect(signedOut.words).not.toContain('Trimec')
})

describe('asking for more', () => {
  it('asks once for a service, as a task with its price; the office answers', async () => {
    const own = await aBusiness()
    const { items: services } = await own.api.ok(servicesApi.addDefaults, {})
    const { customerId, propertyId } = await aCustomer(own)
    const { id: serviceId = '', name: serviceName = '' } = services.find(({ unit }) => unit === 'visit') ?? {}
    const window = await signIn(own)
    const once = newId()
    const ask = (id = serviceId, place = propertyId) =>
      window.post(`${window.base}/service/${id}/ask`, { once, propertyId: place, words: 'In the back, please' })
    expect((await ask()).status).toBe(409)
    await settings(own, { serviceIds: [serviceId] })
    expect((await window.get(`${window.base}/service`)).words).toContain(serviceName)
    const foreign = await aLawn(own)
    expect((await ask(serviceId, foreign.propertyId)).status).toBe(404)
    expect((await ask()).status).toBe(303)
    expect((await ask()).status).toBe(303)
    const { items } = await own.api.ok(portalApi.requests, { params: { id: customerId } })
    expect(items).toMatchObject([{ kind: 'service', status: 'open', words: 'In the back, please' }])
    const tasks = await own.api.ok(tasksApi.list, { query: { customerId } })
    expect(tasks.items).toHaveLength(1)
    const params = { id: items[0]?.id ?? '', action: 'decline' as const }
    await own.api.ok(portalApi.answer, { params, body: { words: 'Too wet right now' } })
    expect((await own.api.call(portalApi.answer, { params, body: {} })).status).toBe(409)
    expect((await window.get(`${window.base}/service`)).words).toContain('Too wet right now')
    const other = await aBusiness()
    expect((await other.api.call(portalApi.answer, { params, body: {} })).status).toBe(404)
    expect((await other.api.call(portalApi.requests, { params: { id: customerId } })).status).toBe(404)
  })
})

describe('messages', () => {
  it('stand in the customer’s thread once, and what the office answers stands in the portal', async () => {
    const own = await aBusiness()
    const { customerId } = await aCustomer(own)
    const window = await signIn(own)
    const once = newId()
    for (let press = 0; press < 2; press++)
      await window.post(`${window.base}/messages`, { once, text: 'Please mind the <new> roses' })
    const thread = await own.api.ok(messagesApi.list, { query: { customerId } })
    expect(thread.items).toMatchObject([
      { channel: 'portal', direction: 'inbound', text: 'Please mind the <new> roses' },
    ])
    expect((await own.api.ok(messagesApi.conversations, { query: { unread: 'true' } })).items).toHaveLength(1)
    await own.api.ok(messagesApi.sendEmail, {
      params: { id: customerId },
      body: { subject: 'Roses', text: 'We will!' },
    })
    await runTasks()
    const page = await window.get(`${window.base}/messages`)
    expect(page.words).toContain('Please mind the &lt;new&gt; roses')
    expect(page.words).toContain('We will!')
    const empty = await window.post(`${window.base}/messages`, { once: newId(), text: '  ' })
    expect([empty.status, empty.words.includes('Write something first')]).toEqual([422, true])
  })
})

describe('own data', () => {
  const form = { name: 'Ann Odom', email, phone: '', language: 'es', way: 'email', 'gets-invoices': '1' }

  it('is changed at once, told to the old address, and ends other sessions', async () => {
    const own = await aBusiness()
    const { customerId } = await aCustomer(own)
    const window = await signIn(own)
    const second = await signIn(own)
    const version = /name="version" value="(\d+)"/.exec((await window.get(`${window.base}/account`)).text)?.[1] ?? ''
    const wrong = await window.post(`${window.base}/account`, { ...form, email: 'no', version })
    expect([wrong.status, wrong.words.includes('This is not an e-mail address')]).toEqual([422, true])
    const saved = await window.post(`${window.base}/account`, { ...form, email: 'ann2@test.swath.test', version })
    expect(saved.status).toBe(303)
    const spanish = await window.get(window.base)
    expect(spanish.words).toContain('Hola, Ann')
    expect((await second.get(second.base)).words).toContain('Please sign in again')
    await runTasks()
    const mails = await own.api.ok(messagesApi.list, { query: { customerId, channel: 'email' } })
    expect(mails.items.map(({ address }) => address)).toContain(email)
    const late = await window.post(`${window.base}/account`, { ...form, email: 'ann2@test.swath.test', version })
    expect(late.status).toBe(409)
    const line = await own.api.ok(timelineApi.list, { params: { id: customerId }, query: { kind: 'note' } })
    expect(line.items[0]?.text).toContain('changed their data in the customer portal')
  })

  it('says to the person what the office sees of offers, and a no is one at each of their addresses', async () => {
    const own = await aBusiness()
    const { customerId } = await aCustomer(own)
    const phone = '+19125550188'
    const { version: made } = await own.api.ok(customersApi.get, { params: { id: customerId } })
    await own.api.ok(customersApi.update, { params: { id: customerId }, body: { version: made, phone } })
    const window = await signIn(own)
    const isTicked = async () =>
      / checked=""/.test(
        /<input[^>]*name="gets-marketing"[^>]*>/.exec((await window.get(`${window.base}/account`)).text)?.[0] ?? '',
      )
    const standings = async () =>
      Object.fromEntries(
        (await own.api.ok(consentsApi.list, { params: { id: customerId } })).addresses.map((one) => [
          one.channel,
          one.standing,
        ]),
      )
    const save = async (gets: Record<string, string>) => {
      const version = /name="version" value="(\d+)"/.exec((await window.get(`${window.base}/account`)).text)?.[1] ?? ''
      const both = { name: 'Ann Odom', email, phone, language: 'en', way: 'email', ...gets, version }
      expect((await window.post(`${window.base}/account`, both)).status).toBe(303)
    }
    const getsOf = async () => (await own.api.ok(customersApi.get, { params: { id: customerId } })).gets
    // never agreed: no tick, and saving something else neither agrees nor ends what the record says
    expect(await isTicked()).toBe(false)
    await save({ 'gets-invoices': '1', 'gets-quotes': '1' })
    expect([await standings(), await getsOf()]).toEqual([
      { sms: 'never', email: 'never' },
      ['invoices', 'quotes', 'marketing'],
    ])
    await own.api.ok(consentsApi.record, {
      params: { id: customerId },
      body: { channel: 'sms', address: phone, action: 'grant', how: 'paper', on: today(), note: '' },
    })
    expect(await isTicked()).toBe(true)
    await save({ 'gets-invoices': '1' })
    expect([await standings(), await isTicked()]).toEqual([{ sms: 'taken_back', email: 'taken_back' }, false])
    await save({ 'gets-invoices': '1', 'gets-marketing': '1' })
    expect([await standings(), await getsOf()]).toEqual([
      { sms: 'taken_back', email: 'agreed' },
      ['invoices', 'marketing'],
    ])
  })

  it('asks before a property’s address is another', async () => {
    const own = await aBusiness()
    const { customerId, propertyId } = await aCustomer(own)
    const window = await signIn(own)
    const fields = { propertyId, street: '7 New St', unit: '', city: 'Savannah', state: 'GA', zip: '31401' }
    const streetOf = () =>
      own.db(
        async (db) =>
          (
            await db
              .selectFrom('properties')
              .select('street')
              .where('businessId', '=', own.id)
              .where('id', '=', propertyId)
              .executeTakeFirstOrThrow()
          ).street,
      )
    await window.post(`${window.base}/account/address`, { ...fields, once: newId() })
    expect(await streetOf()).toBe('132 Laurel Green Ct')
    const { items } = await own.api.ok(portalApi.requests, { params: { id: customerId } })
    await own.api.ok(portalApi.answer, { params: { id: items[0]?.id ?? '', action: 'accept' }, body: {} })
    expect(await streetOf()).toBe('7 New St')
    const foreign = await aLawn(own)
    const stolen = await window.post(`${window.base}/account/address`, {
      ...fields,
      propertyId: foreign.propertyId,
      once: newId(),
    })
    expect(stolen.status).toBe(404)
  })
})
