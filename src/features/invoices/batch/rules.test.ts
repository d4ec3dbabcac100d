import { describe, expect, it } from 'vitest'
import { type BillableLine, type BillableVisit, cutToMost, planBatch, totalsOfChosen } from './rules.ts'

const visit = (id: string, changes: Partial<BillableVisit> = {}): BillableVisit => ({
  id,
  day: '2026-06-12',
  customerId: 'c1',
  propertyId: 'p1',
  place: '1 Oak',
  billing: 'per_visit',
  customerName: 'A',
  isReached: true,
  holdInvoices: false,
  taxExempt: false,
  invoiceGrouping: null,
  taxPlace: { state: 'GA' },
  ...changes,
})
const line = (visitId: string, unitPriceCents = 5500): BillableLine => ({
  id: `l-${visitId}`,
  visitId,
  serviceId: 's',
  name: 'Mow',
  description: '',
  quantity: 1,
  unitPriceCents,
  taxCategory: 'lawn',
})

describe('planBatch', () => {
  it('makes one invoice a customer, or one a property or visit where asked', () => {
    const visits = [
      visit('a'),
      visit('b', { propertyId: 'p2' }),
      visit('c', { customerId: 'c2', invoiceGrouping: 'visit' }),
      visit('d', { customerId: 'c2', invoiceGrouping: 'visit' }),
    ]
    const lines = visits.map((v) => line(v.id))
    expect(
      planBatch(visits, lines, { grouping: null, taxes: [], today: '2026-06-01' }).invoices.map((i) => i.visits.length),
    ).toEqual([2, 1, 1])
    expect(planBatch(visits, lines, { grouping: 'property', taxes: [], today: '2026-06-01' }).invoices).toHaveLength(3)
    expect(planBatch(visits, lines, { grouping: 'customer', taxes: [], today: '2026-06-01' }).invoices).toHaveLength(2)
  })
  it('names what it leaves out, and why', () => {
    const visits = [
      visit('free'),
      visit('held', { holdInvoices: true }),
      visit('flat', { billing: 'flat' }),
      visit('bare'),
    ]
    const plan = planBatch(visits, [line('free', 0), line('held'), line('flat')], {
      grouping: null,
      taxes: [],
      today: '2026-06-01',
    })
    expect(plan.invoices).toEqual([])
    expect(plan.exceptions.map((e) => [e.visit.id, e.reason])).toEqual([
      ['free', 'no_price'],
      ['held', 'on_hold'],
      ['flat', 'not_per_visit'],
      ['bare', 'no_price'],
    ])
  })
  it('taxes by the state of the place, notes a missing e-mail', () => {
    const taxes = [
      { name: 'GA', ratePercent: 10, taxCategory: 'lawn', state: 'GA' },
      { name: 'SC', ratePercent: 50, taxCategory: 'lawn', state: 'SC' },
    ]
    const [invoice] = planBatch([visit('a', { isReached: false })], [line('a', 1000)], {
      grouping: null,
      taxes,
      today: '2026-06-01',
    }).invoices
    expect([invoice?.totals.taxCents, invoice?.note]).toEqual([100, expect.stringContaining('No mail and no text')])
  })
  it('taxes each visit by what its customer was exempt from on its day', () => {
    const taxes = [{ name: 'GA', ratePercent: 10, taxCategory: 'lawn', state: 'GA' }]
    for (const visits of [
      [visit('a', { taxExempt: true }), visit('b')],
      [visit('a'), visit('b', { taxExempt: ['GA'] })],
    ])
      expect(
        planBatch(visits, [line('a', 1000), line('b', 1000)], { grouping: null, taxes, today: '2026-06-01' })
          .invoices[0]?.totals.taxCents,
      ).toBe(100)
  })
})

describe('totalsOfChosen', () => {
  const taxes = [{ name: 'GA', ratePercent: 7, taxCategory: 'lawn', state: 'GA' }]
  const one = (id: string, unitPriceCents: number, taxExempt = false) => ({
    id,
    day: '2026-06-01',
    taxPlace: { state: 'GA' },
    taxExempt,
    lines: [{ quantity: 1, unitPriceCents, taxCategory: 'lawn' }],
  })
  const groups = [
    { key: 'a', note: null, visits: [one('1', 5550), one('2', 1000)] },
    { key: 'b', note: 'No e-mail', visits: [one('3', 2000, true)] },
  ]
  it('comes to what the whole plan comes to when nothing is left out', () => {
    const visits = [visit('1'), visit('2'), visit('3', { customerId: 'b', taxExempt: true, isReached: false })]
    const plan = planBatch(visits, [line('1', 5550), line('2', 1000), line('3', 2000)], {
      grouping: null,
      taxes,
      today: '2026-06-01',
    })
    const chosen = totalsOfChosen(groups, taxes, new Set())
    expect(chosen).toMatchObject({ invoiceCount: 2, visitCount: 3, taxCents: 459, totalCents: 9009, mailedCount: 1 })
    expect(chosen.totalCents).toBe(plan.invoices.reduce((sum, invoice) => sum + invoice.totals.totalCents, 0))
  })
  it('follows what is left out, down to whole invoices', () => {
    const chosen = totalsOfChosen(groups, taxes, new Set(['2', '3']))
    expect(chosen).toMatchObject({ invoiceCount: 1, visitCount: 1, totalCents: 5939, mailedCount: 1 })
    expect([...chosen.groups.keys()]).toEqual(['a'])
  })
})

describe('cutToMost', () => {
  const found = (jobs: string) => [...jobs].map((jobId, i) => ({ id: i, jobId, customerId: jobId.toLowerCase() }))
  it.each([
    ['AABB', { visits: 4, ofJob: 2 }, 'AABB', false],
    // one more of a job than fits, and one more in all
    ['AAAB', { visits: 9, ofJob: 2 }, 'AAB', true],
    ['AABBB', { visits: 4, ofJob: 9 }, 'AA', true],
    // two jobs of one customer are taken or left together
    ['ABbB', { visits: 3, ofJob: 9 }, 'A', true],
    ['AAAAA', { visits: 4, ofJob: 9 }, 'AAAA', true],
    ['', { visits: 4, ofJob: 9 }, '', false],
  ])('%s up to %j is %s', (jobs, most, taken, more) => {
    const cut = cutToMost(found(jobs), most)
    expect([cut.visits.map(({ jobId }) => jobId).join(''), cut.more]).toEqual([taken, more])
  })
})
