import { describe, expect, it } from 'vitest'
import { linkTo } from '../../../shared/links.ts'
import { readPlace, viewHref } from './place.ts'

const at = (query: string) => readPlace(new URLSearchParams(query))
const id = '01a1ff84-fab4-74dc-8663-90f4b25b03f3'

describe('the place of the invoices', () => {
  it('reads view, search, order and record', () => {
    expect(at(`view=overdue&search=odom&sort=due.asc&invoiceId=${id}`)).toMatchObject({
      query: { view: 'overdue', search: 'odom', sort: 'due', order: 'asc' },
      invoiceId: id,
      narrowed: true,
    })
  })
  it('takes unknown values as not there', () => {
    expect(at('view=mine&sort=color.up&invoiceId=7&batch=old')).toMatchObject({
      query: { view: 'all', sort: 'number', order: 'desc' },
      invoiceId: '7',
      batchId: null,
      makesBatch: false,
    })
  })
  it('tells a new batch from a made one', () => {
    expect([at('batch=new').makesBatch, at('batch=new').batchId]).toEqual([true, null])
    expect([at(`batch=${id}`).makesBatch, at(`batch=${id}`).batchId]).toEqual([false, id])
    expect([viewHref('all'), viewHref('open')]).toEqual(['/jobs?tab=invoices', '/jobs?tab=invoices&view=open'])
  })
  it('reads what a link says', () => {
    const of = (href: string) => at(href.split('?')[1] ?? '')
    expect(of(linkTo.invoice(id)).invoiceId).toBe(id)
    expect(of(linkTo.invoices({ view: 'overdue' })).query.view).toBe('overdue')
    expect(of(linkTo.newInvoices()).makesBatch).toBe(true)
  })
})
