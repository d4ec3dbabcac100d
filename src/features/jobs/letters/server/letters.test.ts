import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { lawnsApi } from '../../../../features/analytics/lawns/contract.ts'
import { jobsApi } from '../../../../features/jobs/contract.ts'
import { limitReason } from '../../../../features/messages/rules.ts'
import { smsUsage } from '../../../../features/messages/server/queries.ts'
import { resetClock, setClock } from '../../../../platform/clock.ts'
import { newId } from '../../../../platform/ids.ts'
import { addDays, type Day } from '../../../../shared/dates.ts'
import { runTasks } from '../../../../test/api.ts'
import { aBusiness, aPerson } from '../../../../test/factories.ts'
import {
  aJob,
  begin,
  fromOn,
  type Job,
  leave,
  letterOf,
  list,
  messages,
  minute,
  mow,
  own,
  preview,
  print,
  raised,
  send,
  setMessages,
  today,
} from '../../../../test/letters.ts'
import { letterText } from './templates.ts'

beforeEach(begin)
afterEach(resetClock)

describe('what a price letter says', () => {
  it('is what a visit costs, with all its units, in both languages', async () => {
    const beds = await aJob(1400, { name: 'Ann Beds', phone: '912-555-0143' }, { quantity: 3 })
    const spanish = await aJob(1400, { name: 'Rosa Ruiz', email: 'rosa@example.com', language: 'es' }, { quantity: 3 })
    const lines = [raised(beds, 2000), raised(spanish, 2000)]
    const { body } = await preview(lines)
    expect(body.letters.map(({ text }) => text)).toEqual([
      expect.stringContaining(': $60.00 (was $42.00)'),
      expect.stringContaining(': $60.00 (antes $42.00)'),
    ])
    // a letter in two languages is none
    const services = await own.db((db) =>
      db.selectFrom('services').select(['name', 'nameEs']).where('businessId', '=', own.id).execute(),
    )
    const said = services.find(({ name }) => body.letters[0]?.text.includes(`${name} at `))
    expect(said?.nameEs).toBeTruthy()
    expect(body.letters[1]?.text).toContain(`${said?.nameEs} en `)
    expect(body.letters[1]?.text).not.toContain(said?.name)
    await send(lines)
    await runTasks()
    expect(
      (await messages()).map(({ bodyText }) => /\$60\.00 \((was|antes) \$42\.00\)/.exec(bodyText)?.[1]).toSorted(),
    ).toEqual(['antes', 'was'])
  })

  it('names the year of its day where it is another one, and at the turn of the year', async () => {
    const text = await aJob(4200, { name: 'Ann Early', phone: '912-555-0143' })
    const paper = await aJob(4200, { name: 'Pat Paper' })
    const days = async (day: string) => {
      const { body } = await preview([raised(text), raised(paper)], day)
      return body.letters.map((letter) => /[Ff]rom (.*?)( on,|\. )/.exec(letter.text)?.[1])
    }
    expect(await days('2026-12-30')).toEqual(Array(2).fill('Wednesday, December 30'))
    expect(await days('2027-01-06')).toEqual(Array(2).fill('Wednesday, January 6, 2027'))
    // at the turn of the year, whose sign-in would be over by then
    const told = { name: 'Ann Early', fromOn: '2026-12-30' as Day, lines: [] }
    const written = (writtenOn: string) =>
      letterText('Rowan', { ...told, writtenOn: writtenOn as Day }, 'en').includes('from Wednesday, December 30, 2026.')
    expect([written('2026-10-31'), written('2026-11-01')]).toEqual([false, true])
  })

  it('is one letter about all lawns of a customer, and is read as it leaves', async () => {
    const phone = '912-555-0143'
    const one = await aJob(4200, { name: 'Ann Early', phone, street: '1 Oak St' })
    const two = await aJob(4200, { name: 'Other', phone, street: '2 Elm Ave' })
    await own.db(async (db) => {
      const mine = { customerId: one.customerId }
      const of = (table: 'jobs' | 'properties' | 'visits') =>
        db
          .updateTable(table)
          .set(mine)
          .where('businessId', '=', own.id)
          .where('customerId', '=', two.customerId)
          .execute()
      for (const table of ['properties', 'jobs', 'visits'] as const) await of(table)
    })
    const { body } = await preview([raised(one), raised(two, 5500)])
    expect(body.letters.map(({ text }) => text)).toEqual([
      expect.stringMatching(/at 1 Oak St: \$60\.00 \(was \$42\.00\).*at 2 Elm Ave: \$55\.00 \(was \$42\.00\)/),
    ])
    const sent = await send([raised(one), raised(two, 5500)])
    await runTasks()
    await own.api.ok(jobsApi.act, { params: { id: two.id, verb: 'cancel' }, body: {} as never })
    await leave()
    expect(
      (await messages()).map(({ status, bodyText }) => [status, bodyText.includes('Oak'), bodyText.includes('Elm')]),
    ).toEqual([['sent', true, false]])
    expect(await letterOf(sent.body.id)).toMatchObject({ toldCount: 1, missedCount: 0, paper: [] })
  })

  it('does not leave once the job ended or somebody gave it another price, and is not printed either', async () => {
    const ended = await aJob(4200, { name: 'Ann Ended', phone: '912-555-0143' })
    const priced = await aJob(4200, { name: 'Bob Back', email: 'bob@example.com' })
    const paper = await aJob(4200, { name: 'Pat Paper' })
    const { body } = await send([raised(ended), raised(priced), raised(paper)])
    await runTasks()
    expect((await messages()).map(({ status }) => status)).toEqual(['pending', 'pending'])
    for (const { id } of [ended, paper])
      await own.api.ok(jobsApi.act, { params: { id, verb: 'cancel' }, body: {} as never })
    const job = await own.api.ok(jobsApi.get, { params: { id: priced.id } })
    await own.api.ok(jobsApi.update, {
      params: { id: priced.id },
      body: {
        ...{ version: job.version, scope: 'all_open' },
        lines: [{ id: priced.lineId, serviceId: mow, recurrence: job.lines[0]?.recurrence, unitPriceCents: 4500 }],
      } as never,
    })
    await leave()
    expect((await messages()).map(({ status, reason }) => [status, reason])).toEqual(
      Array(2).fill(['suppressed', 'The work ended or got another price before it left']),
    )
    expect(await letterOf(body.id)).toMatchObject({ toldCount: 0, missedCount: 0, recalledCount: 2, paper: [] })
    expect((await print(body.id))[0]).toBe(409)
  })
})

describe('whom no message tells', () => {
  const usedUp = (segments: number) =>
    own.db(async (db) => {
      await db.updateTable('businesses').set({ planTier: 'basic' }).where('businessId', '=', own.id).execute()
      const { segmentLimit } = await smsUsage(db)
      await db
        .insertInto('textMonths')
        .values({ businessId: own.id, month: today.slice(0, 7), segments: (segmentLimit ?? 0) - segments })
        .execute()
    })

  it('gets a mail where the texts of the month are used up, else paper, as the preview says', async () => {
    await usedUp(3)
    const [text, mail, none] = [
      await aJob(4200, { name: 'Ann', phone: '912-555-0143', email: 'ann@example.com' }),
      await aJob(4200, { name: 'Bob', phone: '912-555-0144', email: 'bob@example.com' }),
      await aJob(4200, { name: 'Cy', phone: '912-555-0145' }),
    ]
    const lines = [raised(text), raised(mail), raised(none)]
    const { body: seen } = await preview(lines)
    const ways = seen.letters.map(({ channel }) => channel)
    expect(ways.filter((one) => one === 'sms')).toHaveLength(1)
    expect(seen.letters.find(({ channel }) => channel === null)?.reason ?? limitReason).toBe(limitReason)
    const { body } = await send(lines)
    await runTasks()
    await leave()
    const sent = await messages()
    expect(sent.map(({ status }) => status)).toEqual(Array(seen.reached).fill('sent'))
    expect(sent.filter(({ channel }) => channel === 'sms')).toHaveLength(1)
    expect(await letterOf(body.id)).toMatchObject({ toldCount: seen.reached, missedCount: 0 })
    expect((await letterOf(body.id))?.paper).toHaveLength(3 - seen.reached)
  })

  it('is named with why, also when an address comes later or the mail came back', async () => {
    const late = await aJob(4200, { name: 'Ann Late' })
    const failed = await aJob(4200, { name: 'Bob Back', email: 'bob@example.com' })
    const { body } = await send([raised(late), raised(failed)])
    // while the letters are not written yet, whom something reaches is not to be printed
    expect((await letterOf(body.id))?.paper.map(({ name }) => name)).toEqual(['Ann Late'])
    await runTasks()
    await leave()
    await own.db((db) =>
      db
        .updateTable('customers')
        .set({ email: 'ann@example.com' })
        .where('businessId', '=', own.id)
        .where('id', '=', late.customerId)
        .execute(),
    )
    await setMessages({ status: 'failed', reason: 'There is no mailbox bob@example.com' })
    const letter = await letterOf(body.id)
    expect(letter?.paper.map(({ name, why }) => [name, why])).toEqual([
      ['Ann Late', 'Could not be reached when the letters left'],
      ['Bob Back', 'There is no mailbox bob@example.com'],
    ])
    // sent again by hand it is told, whatever became of the first
    await setMessages({ status: 'sent' })
    expect(await letterOf(body.id)).toMatchObject({ paper: [{ name: 'Ann Late' }], missedCount: 0 })
    // and a month after its day there is nothing to tell any more
    setClock(() => new Date(`${addDays(fromOn, 31)}T15:00:00Z`))
    const later = (await aPerson(own.id, 'Admin')).api
    expect((await later.ok(lawnsApi.list, { query: {} })).letters).toMatchObject([{ paper: [], printedCount: 0 }])
  })

  it('is printed once, and again only when that is asked', async () => {
    const job = await aJob(4200, { name: 'Pat Paper' })
    const { body } = await send([raised(job)])
    const printed = { params: { id: body.id }, body: { customerIds: [job.customerId] } }
    const other = await own.api.call(lawnsApi.printed, { ...printed, body: { customerIds: [newId()] } })
    expect(other.status).toBe(404)
    expect(await own.api.ok(lawnsApi.printed, printed)).toEqual({ printed: 1 })
    expect(await letterOf(body.id)).toMatchObject({ paper: [], printedCount: 1, printedByName: own.owner.name })
    expect((await print(body.id))[0]).toBe(409)
    expect(await print(body.id, '?again=true')).toEqual([200, '%PDF-'])
  })

  it('is noted as printed by their own business alone', async () => {
    const job = await aJob(4200)
    const { body } = await send([raised(job)])
    const stranger = await aBusiness()
    const answer = await stranger.api.call(lawnsApi.printed, {
      ...{ params: { id: body.id }, body: { customerIds: [job.customerId] } },
    })
    expect([answer.status, (await letterOf(body.id))?.printedCount]).toEqual([404, 0])
  })

  it('stands under its letter, however often the book was changed since', async () => {
    const { body } = await send([raised(await aJob(4200))])
    await own.db((db) =>
      db
        .insertInto('priceChanges')
        .values(
          Array.from({ length: 51 }, (_, n) => ({
            ...{ businessId: own.id, id: newId(), kind: 'rule', scope: 'new', fromOn: today, request: '{}' },
            ...{ serviceNames: ['Mow'], lineCount: 0, visitCount: 0, beforeCents: 0, afterCents: 0 },
            createdAt: new Date(Date.parse(`${today}T16:00:00Z`) + n * minute).toISOString(),
          })),
        )
        .execute(),
    )
    expect((await list()).letters.map(({ id }) => id)).toEqual([body.id])
  })
})

describe('another letter than the one that was read', () => {
  it('does not leave, though it is about as many visits and customers', async () => {
    const job = await aJob(4200, { phone: '912-555-0143' })
    const { body: seen } = await preview([raised(job)])
    const record = await own.api.ok(jobsApi.get, { params: { id: job.id } })
    await own.api.ok(jobsApi.update, {
      params: { id: job.id },
      body: {
        ...{ version: record.version, scope: 'all_open' },
        lines: [{ id: job.lineId, serviceId: mow, recurrence: record.lines[0]?.recurrence, unitPriceCents: 5000 }],
      } as never,
    })
    const body = { fromOn, lines: [raised(job)], seal: seen.seal }
    const refused = await own.api.call(lawnsApi.send, { body })
    expect([refused.status, refused.error.message]).toEqual([409, expect.stringContaining('read them again')])
    const { body: now } = await preview([raised(job)])
    expect([now.visits, now.reached]).toEqual([seen.visits, seen.reached])
    expect((await own.api.call(lawnsApi.send, { body: { ...body, seal: now.seal } })).status).toBe(200)
  })

  it('is refused with the name of whose job ended, or rests without a day', async () => {
    const [goes, over, rests, back] = [
      await aJob(4200, { name: 'Ann' }),
      await aJob(4200, { name: 'Bob Over', street: '9 Elm Ave' }),
      await aJob(4200, { name: 'Cy Rests', street: '8 Elm Ave' }),
      await aJob(4200, { name: 'Di Back', street: '7 Elm Ave' }),
    ]
    await own.api.ok(jobsApi.act, { params: { id: over.id, verb: 'cancel' }, body: {} as never })
    await own.api.ok(jobsApi.act, { params: { id: rests.id, verb: 'pause' }, body: { until: null } as never })
    await own.api.ok(jobsApi.act, {
      params: { id: back.id, verb: 'pause' },
      body: { until: addDays(today, 10) } as never,
    })
    const said = async (job: Job) => {
      const { status, error } = await preview([raised(goes), raised(job)])
      return [status, error?.message]
    }
    expect(await said(over)).toEqual([409, 'Bob Over, 9 Elm Ave: the job is over. Nothing was changed.'])
    expect(await said(rests)).toEqual([
      409,
      'Cy Rests, 8 Elm Ave: rests, and nobody said until when. Nothing was changed.',
    ])
    expect((await said(back))[0]).toBe(200)
    const { items, left } = await list()
    expect(items.map(({ customerName }) => customerName).toSorted()).toEqual(['Ann', 'Di Back'])
    expect(left.map(({ customerName, reason }) => [customerName, reason]).toSorted()).toEqual([
      ['Bob Over', 'over'],
      ['Cy Rests', 'rests'],
    ])
  })
})
