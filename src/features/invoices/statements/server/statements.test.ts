import { sql } from 'kysely'
import { describe, expect, it, onTestFinished } from 'vitest'
import { systemActor } from '../../../../platform/actor.ts'
import { clock, resetClock } from '../../../../platform/clock.ts'
import { addDays, dayOf, formatDay } from '../../../../shared/dates.ts'
import { runTasks } from '../../../../test/api.ts'
import { aBankBusiness, payByBank } from '../../../../test/bank.ts'
import { signInAgain } from '../../../../test/books.ts'
import { aCardClock, aCustomer, anIssuedInvoice, office } from '../../../../test/cards.ts'
import { aBusiness, type TestBusiness } from '../../../../test/factories.ts'
import { aLawn, today } from '../../../../test/field.ts'
import { readPdf } from '../../../../test/papers.ts'
import { customersApi } from '../../../customers/contract.ts'
import { messagesApi } from '../../../messages/contract.ts'
import { notificationsApi } from '../../../notifications/contract.ts'
import { paymentsApi } from '../../../payments/contract.ts'
import { correctionsApi } from '../../../payments/corrections/contract.ts'
import { invoicesApi } from '../../contract.ts'
import { type Age, ageNames, ageOf } from '../../rules.ts'
import { moveCustomerInvoicesTx } from '../../server/merging/commands.ts'
import { lockInvoiceTx, setDisputedTx } from '../../server/rows/commands.ts'
import { statementsApi } from '../contract.ts'
import { statementSums } from '../rules.ts'
import { sendOneOfMany, stepRunTx } from './many.ts'

const reason = 'Not mowed'
const pay = (own: TestBusiness, id: string, amountCents: number, receivedOn = today()) =>
  own.api.ok(paymentsApi.recordPayment, { params: { id }, body: { method: 'check', amountCents, receivedOn } })
const statement = (own: TestBusiness, id: string, from: string, to = today()) =>
  own.api.call(statementsApi.get, { params: { id }, query: { from, to } })
const balance = async (own: TestBusiness, customerId: string) =>
  (await own.api.ok(customersApi.list, {})).items.find(({ id }) => id === customerId)?.balanceCents

describe('a statement', () => {
  it('can begin when they last owed nothing, and is the same on screen, on paper and in the mail', async () => {
    const days = aCardClock()
    days.begin()
    onTestFinished(resetClock)
    const own = await aBusiness()
    const customerId = await aCustomer(own)
    const api = () => office(own)
    const since = async () => (await (await api()).ok(statementsApi.sinceZero, { params: { id: customerId } })).from
    const paid = async (id: string, amountCents: number) =>
      (await api()).ok(paymentsApi.recordPayment, {
        params: { id },
        body: { method: 'check', amountCents, receivedOn: dayOf(clock.now(), 'America/New_York') },
      })
    const billed = async (unitPriceCents: number) => {
      const now = await api()
      const lines = [{ description: 'Mowing', quantity: 1, unitPriceCents }]
      const { id } = await now.ok(invoicesApi.create, { body: { customerId, termsDays: 0, lines } })
      return now.ok(invoicesApi.issue, { params: { id } })
    }
    expect(await since()).toBeNull()
    const first = await billed(5000)
    days.onDay(30)
    await paid(first.id, 2000)
    expect(await since()).toBe(days.day(0))
    days.onDay(60)
    await paid(first.id, 3000)
    // paid up: what was owed last is the whole of it
    expect(await since()).toBe(days.day(0))
    days.onDay(80)
    const second = await billed(4000)
    days.onDay(90)
    await paid(second.id, 1000)
    expect(await since()).toBe(days.day(80))
    const body = { from: days.day(80), to: days.day(90) }
    const now = await api()
    expect(await now.ok(statementsApi.get, { params: { id: customerId }, query: body })).toMatchObject({
      ...{ openingCents: 0, chargedCents: 4000, paidCents: -1000, closingCents: 3000 },
    })
    const pdf = await now.call(statementsApi.pdf, { params: { id: customerId }, query: body })
    const paper = (await readPdf(pdf.bytes)).flat().join(' ')
    expect(paper).toContain('See and pay what is open online')
    expect(paper).toContain(`INV-${second.number}`)
    expect(paper).not.toContain(`INV-${first.number}`)
    await now.ok(statementsApi.send, { params: { id: customerId }, body })
    await runTasks()
    const { items } = await now.ok(messagesApi.list, { query: { channel: 'email' } })
    const subjects = items.map(({ subject }) => subject)
    expect(subjects).toContainEqual(expect.stringContaining(`${formatDay(body.from, { year: true })} to`))
    // a year later it is too long ago to say
    days.onDay(500)
    expect(await since()).toBeNull()
    const other = await aBusiness()
    expect((await other.api.call(statementsApi.sinceZero, { params: { id: customerId } })).status).toBe(404)
  })

  it('of a quiet month in which an earlier invoice was voided charges nothing, and says what was voided', async () => {
    const days = aCardClock()
    days.begin()
    onTestFinished(resetClock)
    const own = await aBusiness()
    const { customerId } = await aLawn(own)
    const { id } = await anIssuedInvoice(own, customerId, 5500)
    days.onDay(40)
    await signInAgain(own)
    await own.api.ok(invoicesApi.voidInvoice, { params: { id } })
    const { body } = await statement(own, customerId, addDays(today(), -10))
    expect(body).toMatchObject({
      openingCents: 5500,
      chargedCents: 0,
      voidedCents: -5500,
      paidCents: 0,
      closingCents: 0,
    })
    expect(statementSums(body).map(({ label, cents }) => [label, cents])).toContainEqual([
      'Voided of earlier invoices',
      -5500,
    ])
  })

  it('has an entry for everything that happened, runs to the balance of the books, and begins with what was before', async () => {
    const own = await aBusiness()
    const { customerId } = await aLawn(own)
    const [first, second, third] = [
      await anIssuedInvoice(own, customerId, 5000),
      await anIssuedInvoice(own, customerId, 3000),
      await anIssuedInvoice(own, customerId, 1000),
    ]
    const early = await pay(own, first.id, 2000, addDays(today(), -10))
    await own.api.ok(correctionsApi.creditInvoice, { params: { id: first.id }, body: { amountCents: 500, reason } })
    await own.api.ok(correctionsApi.refundPayment, {
      params: { id: early.id },
      body: { amountCents: 300, method: 'cash', onDay: today(), reason },
    })
    const wrong = await pay(own, second.id, 700)
    await own.api.ok(correctionsApi.reversePayment, { params: { id: wrong.id }, body: { reason } })
    await own.api.ok(invoicesApi.writeOff, { params: { id: second.id }, body: { reason } })
    await own.api.ok(invoicesApi.reinstate, { params: { id: second.id } })
    await own.api.ok(invoicesApi.voidInvoice, { params: { id: third.id } })
    const whole = (await statement(own, customerId, addDays(today(), -10))).body
    expect(whole.entries.map(({ label, amountCents }) => [label, amountCents])).toEqual(
      expect.arrayContaining([
        ['Payment by check, R-1001', -2000],
        [`Invoice INV-${first.number}`, 5000],
        ['Credit note CN-1001', -500],
        ['Refund', 300],
        ['Payment by check, R-1002', -700],
        ['Payment by check, R-1002, taken back', 700],
        [`INV-${second.number} written off`, -3000],
        [`INV-${second.number} open again`, 3000],
        [`INV-${third.number} voided`, -1000],
      ]),
    )
    expect(whole.entries).toHaveLength(11)
    expect(whole.closingCents).toBe(await balance(own, customerId))
    expect(whole.closingCents).toBe(whole.openingCents + whole.chargedCents + whole.returnedCents + whole.paidCents)
    // what was voided was never charged and never paid
    expect(whole.chargedCents).toBe(5000 + 3000 + 3000)
    expect(whole.returnedCents).toBeGreaterThan(0)
    expect(whole.entries.at(-1)?.balanceCents).toBe(whole.closingCents)
    const late = (await statement(own, customerId, addDays(today(), -9))).body
    expect([late.openingCents, late.entries.length, late.closingCents]).toEqual([-2000, 10, whole.closingCents])
    const before = (await statement(own, customerId, addDays(today(), -30), addDays(today(), -11))).body
    expect([before.openingCents, before.entries, before.closingCents]).toEqual([0, [], 0])
  })

  it('is refused for a period that is none or too long, and for somebody else’s customer', async () => {
    const [own, other] = [await aBusiness(), await aBusiness()]
    const { customerId } = await aLawn(own)
    for (const from of [addDays(today(), 1), addDays(today(), -366)])
      expect((await statement(own, customerId, from)).error.errors?.[0]?.path).toBe('from')
    expect((await statement(other, customerId, today())).status).toBe(404)
    const send = (own: TestBusiness) =>
      own.api.call(statementsApi.send, { params: { id: customerId }, body: { from: today(), to: today() } })
    expect((await send(other)).status).toBe(404)
    const refused = await send(own)
    expect([refused.status, refused.error.message]).toEqual([409, expect.stringContaining('no e-mail')])
  })

  it('is the same on paper, and goes out by mail once for a doubled click', async () => {
    const own = await aBusiness()
    const customerId = await aCustomer(own)
    const { id, number } = await anIssuedInvoice(own, customerId, 5000)
    await pay(own, id, 8000)
    const url = `/api/customers/${customerId}/statement/pdf?from=${today()}&to=${today()}`
    const { bytes } = await own.api.raw({ method: 'GET', url })
    const paper = (await readPdf(bytes)).flat().join(' ')
    expect(paper).toContain(`Invoice INV-${number} $50.00 $50.00`)
    expect(paper).toContain('Payment by check, R-1001 -$80.00 -$30.00')
    expect(paper).toContain('Charged $50.00 Paid and credited -$80.00 Your credit $30.00')
    const body = { from: today(), to: today() }
    const headers = { 'idempotency-key': 'statement-once-0001' }
    const both = await Promise.all(
      [1, 2].map(() => own.api.call(statementsApi.send, { params: { id: customerId }, body }, headers)),
    )
    expect(both.some(({ status }) => status === 200)).toBe(true)
    await runTasks()
    const mails = (await own.api.ok(messagesApi.list, { query: { channel: 'email' } })).items
    expect(mails.filter(({ subject }) => subject.startsWith('Statement from'))).toHaveLength(1)
  })
})

describe('what nobody is asked for now', () => {
  it('is named on the statement\u2019s paper and mail, and on the invoice\u2019s paper as on its page', async () => {
    const own = await aBankBusiness()
    const customerId = await aCustomer(own)
    const [held, sent, plain] = [
      await anIssuedInvoice(own, customerId, 5000),
      await anIssuedInvoice(own, customerId, 3000),
      await anIssuedInvoice(own, customerId, 1000),
    ]
    await own.db(async (db) => setDisputedTx(db, await lockInvoiceTx(db, held.id), true, null))
    await payByBank(sent.token)
    const read = async (url: string) =>
      (await readPdf((await own.api.raw({ method: 'GET', url })).bytes)).flat().join(' ')
    const disputed = `Your bank is looking into a payment of INV-${held.number}. Nothing is asked for its $50.00 until the bank has decided.`
    const coming = `A bank payment of $30.00 for INV-${sent.number} is on its way. Please do not pay it twice.`
    const paper = await read(`/api/customers/${customerId}/statement/pdf?from=${today()}&to=${today()}`)
    for (const words of [disputed, coming]) expect(paper).toContain(words)
    expect(paper).not.toContain(`payment of INV-${plain.number}`)
    const body = { from: today(), to: today() }
    await own.api.ok(statementsApi.send, { params: { id: customerId }, body })
    await runTasks()
    const mails = (await own.api.ok(messagesApi.list, { query: { channel: 'email' } })).items
    const mail = mails.find(({ subject }) => subject.startsWith('Statement from'))?.text ?? ''
    for (const words of [disputed, coming]) expect(mail.replace(/\s+/g, ' ')).toContain(words)
    const invoice = await read(`/api/invoices/${sent.id}/pdf`)
    expect(invoice).toMatch(/Bank payment of \$30\.00 on its way since .* Nothing more has to be paid\./)
    expect(invoice).toContain('See this invoice online')
    expect(await read(`/api/invoices/${plain.id}/pdf`)).toContain('Pay this invoice online')
  })
})

describe('aging', () => {
  it('puts every open cent in one age, and each age opens the invoices it counts', async () => {
    const own = await aBusiness()
    const { customerId } = await aLawn(own)
    const due = [5, 0, -1, -30, -31, -60, -61, -90, -91, -500].map((days) => addDays(today(), days))
    for (const [at, dueOn] of due.entries()) {
      const { id } = await anIssuedInvoice(own, customerId, 1000 + at)
      await own.db((db) =>
        db.updateTable('invoices').set({ dueOn }).where('businessId', '=', own.id).where('id', '=', id).execute(),
      )
    }
    const { aging, owedCents, counts } = await own.api.ok(invoicesApi.list, {})
    const expected = (age: Age) =>
      due.reduce((sum, day, at) => (ageOf(day, today()) === age ? sum + 1000 + at : sum), 0)
    expect(aging).toEqual(Object.fromEntries(ageNames.map((age) => [age, expected(age)])))
    expect(Object.values(aging).reduce((sum, cents) => sum + cents, 0)).toBe(owedCents)
    for (const view of ageNames) {
      const { items, total } = await own.api.ok(invoicesApi.list, { query: { view } })
      expect(items.reduce((sum, { balanceCents }) => sum + balanceCents, 0)).toBe(aging[view])
      expect([items.length, total]).toEqual([counts[view], counts[view]])
    }
  })
})

describe('statements to all who owe', () => {
  it('go once to each whom something reaches, not to who paid meanwhile, is on hold or in dispute', async () => {
    const own = await aBusiness()
    const owing = await aCustomer(own)
    const silent = await aCustomer(own, null)
    const held = await aCustomer(own)
    const payer = await aCustomer(own)
    await anIssuedInvoice(own, owing, 5000)
    await anIssuedInvoice(own, silent, 700)
    await anIssuedInvoice(own, held, 900)
    const paid = await anIssuedInvoice(own, payer, 3000)
    await own.db((db) =>
      db
        .updateTable('customers')
        .set({ holdInvoices: true })
        .where('businessId', '=', own.id)
        .where('id', '=', held)
        .execute(),
    )
    expect(await own.api.ok(statementsApi.findOpen, {})).toEqual({
      count: 2,
      unreachedCount: 1,
      owedCents: 8000,
    })
    const period = { from: addDays(today(), -30), to: today() }
    const stale = await own.api.call(statementsApi.sendOpen, { body: { ...period, count: 3, lastId: null } })
    expect([stale.status, stale.error.message]).toEqual([409, expect.stringContaining('Nothing was sent')])
    const run = await own.api.ok(statementsApi.sendOpen, { body: { ...period, count: 2, lastId: null } })
    expect(run).toMatchObject({ status: 'running', expected: 2, sentCount: 0 })
    // somebody else presses in another window, before and after it is done
    const during = await own.api.call(statementsApi.sendOpen, { body: { ...period, count: 2, lastId: null } })
    expect([during.status, during.error.message]).toEqual([409, expect.stringContaining('being sent right now')])
    // between the step and the drawing
    await own.db((db) => stepRunTx(db, run.id))
    await pay(own, paid.id, 3000)
    await runTasks()
    await runTasks()
    const mails = (await own.api.ok(messagesApi.list, { query: { channel: 'email' } })).items.filter(({ subject }) =>
      subject.startsWith('Statement from'),
    )
    expect(mails.map(({ customer }) => customer?.id)).toEqual([owing])
    const late = await own.api.call(statementsApi.sendOpen, { body: { ...period, count: 1, lastId: null } })
    expect([late.status, late.error.message]).toEqual([409, expect.stringContaining('sent since you looked')])
    expect((await own.api.ok(statementsApi.lastRun, {})).run).toMatchObject({
      id: run.id,
      status: 'done',
      sentCount: 1,
      settledCount: 1,
      unreachedCount: 1,
      failedCount: 0,
      without: [{ customerId: silent }],
    })
    const news = await own.api.ok(notificationsApi.list, {})
    expect(news.notifications.map(({ title }) => title)).toContain('1 statement was sent')
    const clerk = await aBusiness()
    expect((await clerk.api.ok(statementsApi.findOpen, {})).count).toBe(0)
  })
})

it('ends also when a record that waits becomes one with another meanwhile', async () => {
  const own = await aBusiness()
  const [kept, gone] = [await aCustomer(own), await aCustomer(own)]
  await anIssuedInvoice(own, gone, 5000)
  const period = { from: addDays(today(), -30), to: today() }
  const { id } = await own.api.ok(statementsApi.sendOpen, { body: { ...period, count: 1, lastId: null } })
  await own.db((db) => stepRunTx(db, id))
  await own.db((db) => moveCustomerInvoicesTx(db, gone, kept))
  await runTasks()
  expect((await own.api.ok(statementsApi.lastRun, {})).run).toMatchObject({
    status: 'done',
    sentCount: 0,
    failedCount: 1,
    without: [{ customerId: kept, problem: expect.stringContaining('became one') }],
  })
})

describe('statements to very many', () => {
  it('reach everybody once, in steps, also when steps and sendings run again', { timeout: 240_000 }, async () => {
    const own = await aBusiness()
    const many = process.env.SWATH_TEST_LONG ? 1_050 : 450
    await own.db(async (db) => {
      // most by text: a paper is drawn for mails alone
      await sql`insert into customers (business_id, id, name, email, phone, paper_way, created_at, updated_at)
        select ${own.id}, gen_random_uuid(), 'Customer ' || n, 'c' || n || '@test.swath.test', '+1912555' || lpad(n::text, 4, '0'),
          case when n % 50 = 0 then 'email' else 'text' end, now(), now() from generate_series(1, ${many}::int) n`.execute(
        db,
      )
      await sql`insert into invoices (business_id, id, number, customer_id, status, issue_on, due_on, terms_days, bill_to, total_cents, created_at, updated_at)
        select ${own.id}, gen_random_uuid(), 50000 + row_number() over (), id, 'issued', current_date - 40, current_date - 30, 10,
          jsonb_build_object('name', name), 1000, now(), now() from customers where business_id = ${own.id}`.execute(db)
    })
    expect(await own.api.ok(statementsApi.findOpen, {})).toEqual({
      count: many,
      unreachedCount: 0,
      owedCents: many * 1000,
    })
    const period = { from: addDays(today(), -30), to: today() }
    const run = await own.api.ok(statementsApi.sendOpen, { body: { ...period, count: many, lastId: null } })
    // a step that is taken again from the very beginning, as after a crash
    await own.db((db) => stepRunTx(db, run.id))
    await own.db((db) =>
      db.updateTable('statementRuns').set({ reachedTo: null }).where('businessId', '=', own.id).execute(),
    )
    await own.db((db) => stepRunTx(db, run.id))
    const [one] = await own.db((db) =>
      db.selectFrom('statementSendings').select('customerId').where('businessId', '=', own.id).limit(1).execute(),
    )
    const again = { customerId: one?.customerId ?? '', ...period, run: run.id }
    await Promise.all([sendOneOfMany(systemActor(own.id), again), sendOneOfMany(systemActor(own.id), again)])
    await runTasks()
    const { run: last } = await own.api.ok(statementsApi.lastRun, {})
    expect(last).toMatchObject({ status: 'done', sentCount: many, settledCount: 0, unreachedCount: 0, failedCount: 0 })
    await sendOneOfMany(systemActor(own.id), again)
    const { rows } = await own.db((db) =>
      sql<{
        all: number
        people: number
      }>`select count(*)::int as all, count(distinct customer_id)::int as people from messages
        where business_id = ${own.id} and entity_type = 'statement'`.execute(db),
    )
    expect(rows).toEqual([{ all: many, people: many }])
  })
})
