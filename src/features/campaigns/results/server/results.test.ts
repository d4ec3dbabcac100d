import { afterEach, describe, expect, it } from 'vitest'
import { clock, resetClock, setClock } from '../../../../platform/clock.ts'
import { newId } from '../../../../platform/ids.ts'
import { addDays } from '../../../../shared/dates.ts'
import type { Permission } from '../../../../shared/roles.ts'
import { apiFor } from '../../../../test/api.ts'
import { aRow, begin, finish, withAddress, words } from '../../../../test/campaignRow.ts'
import { aPerson } from '../../../../test/factories.ts'
import { today } from '../../../../test/field.ts'
import { recordConsent } from '../../../messages/server/commands.ts'
import { campaignResultsApi } from '../contract.ts'

afterEach(resetClock)

describe('what a campaign brought', () => {
  it('is counted by state with why, and what those who got it were billed against those held out', async () => {
    const row = await aRow()
    await withAddress(row)
    const more = Array.from({ length: 17 }, () => newId())
    await row.db(async (db) => {
      for (const [at, id] of more.entries()) {
        const email = `m${at}@oak.test`
        await db
          .insertInto('customers')
          .values({ businessId: row.id, id, name: `More ${at}`, email })
          .execute()
        await recordConsent(db, {
          channel: 'email',
          address: email,
          purpose: 'marketing',
          action: 'grant',
          source: 'test',
        })
      }
    })
    const before = clock.iso()
    const { id } = await begin(row, { holdoutPercent: 20, perHour: 5000 })
    await finish(row, id)
    const api = await apiFor(row.owner)
    const all = (await api.ok(campaignResultsApi.people, { params: { id }, query: { limit: 100 } })).items
    const [got, held] = ['sent', 'heldOut'].map((state) => all.filter((one) => one.state === state))
    expect([got?.length, held?.length]).toEqual([16, 4])
    // 100 dollars net to each of two who got it, 50 to one held out; what lies outside the 30 days, is a draft, voided or tax does not count
    let number = 900
    const bill = (customerId: string, cents: number, issueOn: string, status = 'issued', madeAt = clock.iso()) =>
      row.db(async (db) => {
        const invoiceId = newId()
        await db
          .insertInto('invoices')
          .values({
            businessId: row.id,
            id: invoiceId,
            number: number++,
            customerId,
            status: status as 'issued',
            issueOn,
            dueOn: issueOn,
            subtotalCents: cents,
            taxCents: 700,
            totalCents: cents + 700,
          })
          .execute()
        await db
          .insertInto('ledgerEntries')
          .values({
            businessId: row.id,
            id: newId(),
            customerId,
            kind: 'invoice',
            amountCents: cents + 700,
            refType: 'invoice',
            refId: invoiceId,
            onDay: issueOn,
            createdAt: madeAt,
          })
          .execute()
      })
    await bill(got?.[0]?.id ?? '', 10_000, today())
    await bill(got?.[1]?.id ?? '', 10_000, addDays(today(), 29))
    await bill(got?.[2]?.id ?? '', 10_000, addDays(today(), 30))
    await bill(got?.[3]?.id ?? '', 10_000, addDays(today(), -1))
    await bill(got?.[4]?.id ?? '', 10_000, today(), 'void')
    // on the day it began, before it left to them
    await bill(got?.[5]?.id ?? '', 10_000, today(), 'issued', before)
    await bill(held?.[1]?.id ?? '', 10_000, today(), 'issued', before)
    await bill(held?.[0]?.id ?? '', 5_000, addDays(today(), 3))
    const results = await api.ok(campaignResultsApi.results, { params: { id } })
    expect(results).toMatchObject({ chosen: 22, sent: 16, heldOut: 4, bounced: 0, failed: 0, onTheWay: 0, waiting: 0 })
    expect(results.notSent).toEqual([{ reason: 'No e-mail on file', count: 2 }])
    // one that did not arrive stays in its group
    await row.db((db) =>
      db
        .updateTable('messages')
        .set({ status: 'failed', attempts: 1, reason: '550 5.1.1 no such user' })
        .where('businessId', '=', row.id)
        .where('customerId', '=', got?.[0]?.id ?? '')
        .execute(),
    )
    // it left and came back, and is counted once
    const back = await api.ok(campaignResultsApi.results, { params: { id } })
    expect(back).toMatchObject({ sent: 16, bounced: 1, failed: 0 })
    expect(back.delivered + back.bounced).toBeLessThanOrEqual(back.sent)
    // to one it has not left yet: nothing that they were billed counts
    await bill(got?.[6]?.id ?? '', 10_000, today())
    await row.db((db) =>
      db
        .updateTable('messages')
        .set({ status: 'held', sentAt: null })
        .where('businessId', '=', row.id)
        .where('customerId', '=', got?.[6]?.id ?? '')
        .execute(),
    )
    const soFar = await api.ok(campaignResultsApi.billed, { params: { id } })
    expect(soFar.billed).toMatchObject({ daysSoFar: 1, sent: { customers: 16 }, morePerCustomerCents: null })
    const ahead = clock.nowMs() + 30 * 86_400_000 - Date.now()
    setClock(() => new Date(Date.now() + ahead))
    const over = await (await apiFor(row.owner)).ok(campaignResultsApi.billed, { params: { id } })
    expect(over.billed).toMatchObject({
      days: 30,
      daysSoFar: 30,
      sent: { customers: 16, totalCents: 20_000, perCustomerCents: 1250 },
      heldOut: { customers: 4, totalCents: 5000, perCustomerCents: 1250 },
      morePerCustomerCents: 0,
    })
    const office = await aPerson(row.id, 'Admin', { permissions: ['customers'] as Permission[] })
    expect((await office.api.ok(campaignResultsApi.billed, { params: { id } })).billed).toBeNull()
    const later = await apiFor(row.owner)
    const notSent = await later.ok(campaignResultsApi.people, { params: { id }, query: { show: 'notSent' } })
    expect(notSent.items.map(({ name, reason }) => [name, reason]).sort()).toEqual([
      ['Gil Stopped', 'No e-mail on file'],
      ['Nora Nowhere', 'No e-mail on file'],
    ])
    const first = await later.ok(campaignResultsApi.people, { params: { id }, query: { limit: 20 } })
    const rest = await later.ok(campaignResultsApi.people, {
      params: { id },
      query: { limit: 20, cursor: first.nextCursor ?? '' },
    })
    expect(new Set([...first.items, ...rest.items].map((one) => one.id)).size).toBe(22)
    const csv = await later.call(campaignResultsApi.exportCsv, { params: { id }, query: {} })
    expect([csv.status, csv.headers['content-type']]).toEqual([200, expect.stringContaining('text/csv')])
    expect(csv.text.trim().split('\n')).toHaveLength(23)
    expect(csv.text).toContain('Nora Nowhere')
  })

  it('counts opens and clicks of people, not of machines, and leads nowhere but where the campaign says', async () => {
    const row = await aRow()
    await withAddress(row)
    const blocks = [
      { kind: 'text' as const, text: 'See https://oak.test/why' },
      { kind: 'button' as const, label: 'Go', to: 'url' as const, url: 'https://oak.test/go?a=1' },
    ]
    const { id } = await begin(row, { content: words({ blocks }) })
    await finish(row, id)
    const html = await row.db((db) =>
      db
        .selectFrom('messages')
        .select('bodyHtml')
        .where('businessId', '=', row.id)
        .where('address', '=', 'ann@oak.test')
        .executeTakeFirstOrThrow(),
    )
    const found = [...(html.bodyHtml ?? '').matchAll(/(?:href|src)="[^"]*?(\/[co]\/[\w-]+\/[^"]+)"/g)].map(
      ([, url]) => url ?? '',
    )
    const pixel = found.find((url) => url.startsWith('/o/')) ?? ''
    const [why = '', go = ''] = found.filter((url) => url.startsWith('/c/'))
    const get = (url: string, agent = 'Mozilla/5.0 (iPhone) Safari') =>
      row.api.raw({ method: 'GET', url, headers: { 'user-agent': agent } })
    const counts = async () => {
      const { opened, clicked, delivered } = await (await apiFor(row.owner)).ok(campaignResultsApi.results, {
        params: { id },
      })
      return [opened, clicked, delivered]
    }
    const base = await counts()
    expect((await get(pixel, 'GoogleImageProxy')).status).toBe(200)
    expect(await counts()).toEqual(base)
    await get(pixel)
    expect((await counts()).slice(0, 2)).toEqual([1, 0])
    expect((await get(go)).headers.location).toBe('https://oak.test/go?a=1')
    expect((await counts()).slice(0, 2)).toEqual([1, 1])
    // both links within a second are a scanner's
    expect((await get(why)).headers.location).toBe('https://oak.test/why')
    expect((await counts())[1]).toBe(0)
    for (const wrong of [go.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')), pixel.replace('/o/', '/c/'), '/c/x/y'])
      expect((await get(wrong)).status).toBe(404)
  })
})
