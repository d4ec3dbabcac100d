import { beforeEach, describe, expect, it } from 'vitest'
import { localPaymentsApi } from '../../../../local/payments/contract.ts'
import { setLocalPost } from '../../../../local/payments/events.ts'
import { resetClock, setClock } from '../../../../platform/clock.ts'
import { addDays } from '../../../../shared/dates.ts'
import { runTasks, stranger } from '../../../../test/api.ts'
import { aBusiness, type TestBusiness } from '../../../../test/factories.ts'
import { aLawn } from '../../../../test/field.ts'
import { readPdf } from '../../../../test/papers.ts'
import { businessesApi } from '../../../businesses/contract.ts'
import { invoicesApi } from '../../../invoices/contract.ts'
import { statementsApi } from '../../../invoices/statements/contract.ts'
import { messagesApi } from '../../../messages/contract.ts'
import { notificationsApi } from '../../../notifications/contract.ts'
import { paymentsApi } from '../../contract.ts'
import { correctionsApi } from '../../corrections/contract.ts'
import { compareBooks } from '../../corrections/server/queries.ts'

const now = '2026-06-10'
beforeEach(() => {
  setClock(() => new Date(`${now}T16:00:00Z`))
  return resetClock
})

const aCustomer = async (own: TestBusiness, name = 'Ann Odom') => {
  const { customerId } = await aLawn(own)
  await own.db((db) =>
    db
      .updateTable('customers')
      .set({ email: 'ann@test.swath.test', name })
      .where('businessId', '=', own.id)
      .where('id', '=', customerId)
      .execute(),
  )
  return customerId
}
const issued = async (own: TestBusiness, customerId: string, cents: number, dueOn = addDays(now, 14)) => {
  const lines = [{ description: 'Mowing', quantity: 1, unitPriceCents: cents }]
  const { id, number } = await own.api.ok(invoicesApi.create, { body: { customerId, lines } })
  await own.api.ok(invoicesApi.issue, { params: { id } })
  await own.db((db) => db.updateTable('invoices').set({ dueOn }).where('id', '=', id).execute())
  return { id, number }
}
const linkOf = async (own: TestBusiness, id: string) =>
  new URL((await own.api.ok(statementsApi.link, { params: { id } })).url).pathname
const read = async (path: string) => {
  const answer = await stranger.raw({ method: 'GET', url: path })
  const words = answer.text
    .replace(/<style>.*?<\/style>/s, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
  return { ...answer, words }
}
const press = async (path: string, numbers: readonly number[]) => {
  const answer = await stranger.raw({
    method: 'POST',
    url: `${path}/pay`,
    payload: new URLSearchParams(numbers.map((number): [string, string] => [`inv-${number}`, 'on'])).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
  return { ...answer, page: /url=\/local\/checkout\/([\w]+)/.exec(answer.text)?.[1] ?? '' }
}
const pay = (sessionId: string) =>
  stranger.call(localPaymentsApi.pay, { params: { sessionId }, body: { cardNumber: '4242 4242 4242 4242' } })
const amountOf = async (sessionId: string) =>
  (await stranger.ok(localPaymentsApi.checkout, { params: { sessionId } })).amountCents
const states = async (own: TestBusiness, ids: readonly string[]) => {
  const found = []
  for (const id of ids) {
    const { status, paidCents } = await own.api.ok(invoicesApi.get, { params: { id } })
    found.push([status, paidCents])
  }
  return found
}
const subjects = async (own: TestBusiness) =>
  (await own.api.ok(messagesApi.list, { query: { channel: 'email' } })).items.map((m) => m.subject)

describe('the page of a statement', () => {
  it('says what is open, how old it is, what was paid and credited, in plain HTML and nothing of anybody else', async () => {
    const own = await aBusiness({ name: 'Palmetto <b>& Pine' })
    const ann = await aCustomer(own)
    const carl = await aCustomer(own, 'Carl Secret')
    const [late, soon] = [await issued(own, ann, 5500, addDays(now, -40)), await issued(own, ann, 3000)]
    const other = await issued(own, carl, 4711)
    await own.api.ok(paymentsApi.recordPayment, {
      params: { id: late.id },
      body: { method: 'check', amountCents: 500, receivedOn: now },
    })
    await own.api.ok(correctionsApi.giveCredit, { params: { id: ann }, body: { amountCents: 700, reason: 'Sorry' } })
    const { status, headers, text, words } = await read(await linkOf(own, ann))
    expect([status, headers['cache-control'], headers['x-robots-tag']]).toEqual([200, 'no-store', 'noindex'])
    expect(words).toContain('Palmetto &lt;b&gt;&amp; Pine')
    expect(words).toContain('Statement for Ann Odom')
    expect(words).toContain('$80.00 is open on 2 invoices $50.00 of it is overdue')
    expect(words).toContain(`INV-${late.number} Was due Fri, May 1, 2026 Issued Wed, Jun 10, 2026`)
    expect(words).toContain('$5.00 of $55.00 is paid')
    expect(words).toContain(`INV-${soon.number}`)
    expect(words).toContain('31 to 60 days late $50.00')
    expect(words).toContain('Not due yet $30.00')
    expect(words).toMatch(/Payment by check, R-\d+/)
    expect(words).toContain(`for INV-${late.number}`)
    expect(words).toMatch(/Credit CN-\d+/)
    expect(words).toContain('You have $7.00 of credit')
    expect(words).not.toMatch(/Secret|47\.11/)
    expect(text).not.toContain(String(other.number))
    expect(text).not.toMatch(/(src|href)="https?:/)
    expect([...text.matchAll(/<script[^>]*>/g)].map(([tag]) => tag)).toEqual(['<script src="/statement.js" defer="">'])
  })

  describe('lets a part of one invoice be paid', () => {
    const allow = async (own: TestBusiness) => {
      const { version } = await own.api.ok(businessesApi.get, {})
      await own.api.ok(businessesApi.update, { body: { partPayments: true, version } })
    }
    const part = async (path: string, number: number, amount: string) => {
      const answer = await stranger.raw({
        method: 'POST',
        url: `${path}/pay`,
        payload: new URLSearchParams({ part: String(number), amount }).toString(),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      })
      return { ...answer, page: /url=\/local\/checkout\/([\w]+)/.exec(answer.text)?.[1] ?? '' }
    }

    it('only where the business wants it, booked on that invoice alone', async () => {
      const own = await aBusiness()
      const ann = await aCustomer(own)
      const [one, other] = [await issued(own, ann, 5500), await issued(own, ann, 3000)]
      const path = await linkOf(own, ann)
      expect((await read(path)).words).not.toContain('Pay a part')
      const refused = await part(path, one.number, '20')
      expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('Only all of it can be paid here')])
      await allow(own)
      const { words } = await read(path)
      expect(words).toContain(`Pay a part of INV-${one.number} How much would you like to pay now?`)
      expect(words).toContain('From $1.00 to $54.00. The rest stays open.')
      for (const [amount, why] of [
        ['', 'Type how much'],
        ['lots', 'Type how much'],
        ['55', 'From $1.00 to $54.00'],
        ['-3', 'From $1.00 to $54.00'],
      ] as const) {
        const wrong = await part(path, one.number, amount)
        expect([wrong.status, wrong.text]).toEqual([422, expect.stringContaining(why)])
      }
      expect((await part(path, 99_999, '20')).status).toBe(409)
      const { page } = await part(path, one.number, '$20.50')
      expect(await amountOf(page)).toBe(2050)
      await pay(page)
      await runTasks()
      expect(await states(own, [one.id, other.id])).toEqual([
        ['partially_paid', 2050],
        ['issued', 0],
      ])
      expect((await read(`${path}?paid=0`)).words).toContain('your payment has arrived')
      expect(await own.db(compareBooks)).toEqual([])
    })

    it('and one that is more than is charged at once has no box, and is no dead end', async () => {
      const own = await aBusiness()
      const ann = await aCustomer(own)
      const big = await issued(own, ann, 100_000_000)
      const path = await linkOf(own, ann)
      const asks = await read(path)
      expect(asks.words).toContain('please ask how to pay it another way')
      expect(asks.text).not.toContain(`name="inv-${big.number}"`)
      await allow(own)
      expect((await read(path)).words).toContain('charged at once: pay it in parts.')
      const { page } = await part(path, big.number, '999,999')
      expect(await amountOf(page)).toBe(99_999_900)
      const halves = [await issued(own, ann, 60_000_000), await issued(own, ann, 60_000_000)]
      const both = await press(
        path,
        halves.map(({ number }) => number),
      )
      expect([both.status, both.text]).toEqual([409, expect.stringContaining('Pay some of it now')])
    })
  })

  it('tells what was credited from what was paid', async () => {
    const own = await aBusiness()
    const ann = await aCustomer(own)
    const { id } = await issued(own, ann, 5500)
    const body = { amountCents: 500, reason: 'Sorry' }
    await own.api.ok(correctionsApi.creditInvoice, { params: { id }, body })
    expect((await read(await linkOf(own, ann))).words).toContain('$5.00 of $55.00 was credited')
  })

  it('is the same 404 for a forged link, another link, one of nobody and one that was taken back; the next link is another', async () => {
    const own = await aBusiness()
    const other = await aBusiness()
    const ann = await aCustomer(own)
    const { id } = await issued(own, ann, 5500)
    const first = await linkOf(own, ann)
    expect(await linkOf(own, ann)).toBe(first)
    const { publicPath } = await own.api.ok(invoicesApi.get, { params: { id } })
    const forged = await read(`${first.slice(0, -1)}_`)
    expect([forged.status, forged.words]).toEqual([404, expect.stringContaining('This link opens no statement')])
    expect((await read(`/s/${(publicPath ?? '').split('/').at(-1)}`)).text).toBe(forged.text)
    expect((await other.api.call(statementsApi.link, { params: { id: ann } })).status).toBe(404)
    expect((await other.api.call(statementsApi.revokeLink, { params: { id: ann } })).status).toBe(404)
    expect((await own.api.ok(statementsApi.revokeLink, { params: { id: ann } })).revoked).toBe(true)
    expect((await own.api.ok(statementsApi.revokeLink, { params: { id: ann } })).revoked).toBe(false)
    const gone = await read(first)
    expect([gone.status, gone.text]).toEqual([404, forged.text])
    expect((await press(first, [1])).status).toBe(404)
    const next = await linkOf(own, ann)
    expect(next).not.toBe(first)
    expect([(await read(next)).status, (await read(first)).status]).toEqual([200, 404])
  })

  it('is in the mail and the PDF of a statement', async () => {
    const own = await aBusiness()
    const ann = await aCustomer(own)
    await issued(own, ann, 5500)
    const path = await linkOf(own, ann)
    const { bytes } = await own.api.raw({
      method: 'GET',
      url: `/api/customers/${ann}/statement/pdf?from=${now}&to=${now}`,
    })
    expect((await readPdf(bytes)).flat().join('').replace(/\s/g, '')).toContain(path)
    await own.api.ok(statementsApi.send, { params: { id: ann }, body: { from: now, to: now } })
    await runTasks()
    const [mail] = (await own.api.ok(messagesApi.list, { query: { channel: 'email' } })).items
    expect((await own.api.ok(messagesApi.get, { params: { id: mail?.id ?? '' } })).text).toContain(path)
  })
})

describe('paying from a statement', () => {
  it('pays one, several or all in one payment, to the cent; one receipt, one line for the office', async () => {
    const own = await aBusiness()
    const ann = await aCustomer(own)
    const [a, b, c] = [await issued(own, ann, 5501), await issued(own, ann, 3333), await issued(own, ann, 100)]
    const path = await linkOf(own, ann)
    const both = await Promise.all([press(path, [a.number, c.number]), press(path, [a.number, c.number])])
    expect(new Set(both.map(({ page }) => page)).size).toBe(1)
    const page = both[0]?.page ?? ''
    expect(await amountOf(page)).toBe(5601)
    await Promise.all([pay(page), pay(page)])
    expect((await read(`${path}?paid=0`)).words).toContain('Thank you, your payment has arrived')
    await runTasks()
    expect(await states(own, [a.id, b.id, c.id])).toEqual([
      ['paid', 5501],
      ['issued', 0],
      ['paid', 100],
    ])
    const [payments, differences] = await own.db(async (db) => [
      await db
        .selectFrom('payments')
        .select(['amountCents', 'allocatedCents'])
        .where('businessId', '=', own.id)
        .execute(),
      await compareBooks(db),
    ])
    expect([payments, differences]).toEqual([[{ amountCents: 5601, allocatedCents: 5601 }], []])
    expect((await subjects(own)).filter((s) => /Paid|Received/.test(s))).toEqual([
      `Received: $56.01 from you, by Green Test Lawns`,
    ])
    const news = (await own.api.ok(notificationsApi.list, {})).notifications.filter(({ title }) => / paid /.test(title))
    expect(news.map(({ title, content }) => [title, content])).toEqual([
      ['Ann Odom paid 2 invoices at once', `$56.01: INV-${a.number}, INV-${c.number}`],
    ])
    // what is left, alone: an invoice's own receipt
    const rest = await press(path, [b.number])
    expect(await amountOf(rest.page)).toBe(3333)
    await pay(rest.page)
    await runTasks()
    expect((await read(path)).words).toContain('Nothing is open. Thank you!')
    expect(await subjects(own)).toContain(`Paid: INV-${b.number} from Green Test Lawns`)
  })

  it('another choice ends the page that was open, also that of one of the invoices', async () => {
    const own = await aBusiness()
    const ann = await aCustomer(own)
    const [a, b] = [await issued(own, ann, 5500), await issued(own, ann, 3000)]
    const path = await linkOf(own, ann)
    const { publicPath } = await own.api.ok(invoicesApi.get, { params: { id: a.id } })
    const token = (publicPath ?? '').split('/').at(-1) ?? ''
    const one = (await stranger.ok(paymentsApi.pay, { params: { token } })).url.split('/').at(-1) ?? ''
    const all = await press(path, [a.number, b.number])
    expect((await stranger.ok(localPaymentsApi.checkout, { params: { sessionId: one } })).status).toBe('expired')
    expect(await amountOf(all.page)).toBe(8500)
    const again = (await stranger.ok(paymentsApi.pay, { params: { token } })).url.split('/').at(-1) ?? ''
    expect((await stranger.ok(localPaymentsApi.checkout, { params: { sessionId: all.page } })).status).toBe('expired')
    await pay(again)
    await runTasks()
    expect(await states(own, [a.id, b.id])).toEqual([
      ['paid', 5500],
      ['issued', 0],
    ])
    // nobody is kept from voiding what no page asks for
    await own.api.ok(invoicesApi.voidInvoice, { params: { id: b.id } })
  })

  it.each(['void', 'check'] as const)('while the page of several is open a %s for one ends it for all', async (how) => {
    const own = await aBusiness()
    const ann = await aCustomer(own)
    const [a, b] = [await issued(own, ann, 5500), await issued(own, ann, 3000)]
    const { page } = await press(await linkOf(own, ann), [a.number, b.number])
    const body = { method: 'check' as const, amountCents: 3000, receivedOn: now }
    if (how === 'void') await own.api.ok(invoicesApi.voidInvoice, { params: { id: b.id } })
    else await own.api.ok(paymentsApi.recordPayment, { params: { id: b.id }, body })
    expect((await stranger.ok(localPaymentsApi.checkout, { params: { sessionId: page } })).status).toBe('expired')
    expect((await press(await linkOf(own, ann), [a.number, b.number])).text).toContain('paid or closed in the meantime')
  })

  it('paid at the provider while one was paid by check: the surplus is credit, and both are told', async () => {
    const own = await aBusiness()
    const ann = await aCustomer(own)
    const [a, b] = [await issued(own, ann, 5500), await issued(own, ann, 3000)]
    const path = await linkOf(own, ann)
    const { page } = await press(path, [a.number, b.number])
    // what the provider tells is late
    const restore = setLocalPost(async () => 200)
    await pay(page)
    restore()
    const body = { method: 'check' as const, amountCents: 3000, receivedOn: now }
    await own.api.ok(paymentsApi.recordPayment, { params: { id: b.id }, body })
    await own.db((db) =>
      db.updateTable('checkoutSessions').set({ status: 'open' }).where('businessId', '=', own.id).execute(),
    )
    await read(`${path}?paid=0`)
    await runTasks()
    expect(await states(own, [a.id, b.id])).toEqual([
      ['paid', 5500],
      ['paid', 3000],
    ])
    expect((await read(path)).words).toContain('You have $30.00 of credit')
    expect(await own.db((db) => compareBooks(db))).toEqual([])
    expect(await subjects(own)).toContain(`You paid Green Test Lawns $30.00 too much`)
    const { notifications } = await own.api.ok(notificationsApi.list, {})
    expect(notifications.map(({ title }) => title)).toContain('Ann Odom paid $30.00 too much')
  })

  it('goes on with a press on the invoice’s own page that was cut off, on a page of its own, and is paid once', async () => {
    const own = await aBusiness()
    const { id, number } = await issued(own, await aCustomer(own), 5500)
    const { publicPath, customer } = await own.api.ok(invoicesApi.get, { params: { id } })
    const token = (publicPath ?? '').split('/').at(-1) ?? ''
    await stranger.ok(paymentsApi.pay, { params: { token } })
    // the provider opened the page, and its answer got lost: nobody was handed it
    await own.db((db) =>
      db.updateTable('checkoutSessions').set({ providerSessionId: null }).where('businessId', '=', own.id).execute(),
    )
    const { status, page } = await press(await linkOf(own, customer.id), [number])
    expect([status, page]).toEqual([200, expect.stringMatching(/./)])
    await pay(page)
    await runTasks()
    expect(await states(own, [id])).toEqual([['paid', 5500]])
    const attempts = await own.db((db) =>
      db.selectFrom('checkoutSessions').select('status').where('businessId', '=', own.id).execute(),
    )
    expect(attempts).toEqual([{ status: 'succeeded' }])
    expect(await own.db((db) => compareBooks(db))).toEqual([])
  })

  it('says so where nothing is checked, and takes nobody else’s invoice', async () => {
    const own = await aBusiness()
    const [ann, carl] = [await aCustomer(own), await aCustomer(own, 'Carl Secret')]
    const [mine, theirs] = [await issued(own, ann, 5500), await issued(own, carl, 3000)]
    const path = await linkOf(own, ann)
    const none = await press(path, [])
    expect([none.status, none.text]).toEqual([409, expect.stringContaining('Check at least one invoice')])
    expect(none.text).toContain(`INV-${mine.number}`)
    const foreign = await press(path, [theirs.number])
    expect([foreign.status, foreign.page]).toEqual([409, ''])
  })
})
