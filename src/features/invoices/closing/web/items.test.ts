import { expect, it } from 'vitest'
import { readPlace as readExpenses } from '../../../expenses/web/place.ts'
import { readPlace as readInvoices } from '../../web/place.ts'
import { itemsOf } from './items.ts'

const none = { count: 0, totalCents: 0 }
const params = (href: string) => new URL(href, 'http://swath.test').searchParams

it('each leads to the view that lists it', () => {
  const items = itemsOf({
    drafts: { count: 2, totalCents: 100 },
    visits: { ...none, withoutPrice: 0, more: false },
    field: none,
    receipts: { count: 3, totalCents: 100 },
    moving: { count: 1, totalCents: 100 },
    unmatched: { ...none, customers: [] },
  })
  const at = (id: string) => params(items.find((item) => item.id === id)?.href ?? '')
  expect(readInvoices(at('drafts')).query.view).toBe('drafts')
  expect(readInvoices(at('moving')).query.view).toBe('pending')
  expect(readExpenses(at('receipts'), '2026-06-10')).toMatchObject({ view: 'review', query: { review: 'true' } })
})
