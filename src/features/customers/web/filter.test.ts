import { describe, expect, it } from 'vitest'
import { linkTo } from '../../../shared/links.ts'
import { readPlace, views } from './filter.ts'

const place = (query: string) => readPlace(new URLSearchParams(query))

describe('the list in the address bar', () => {
  it.each(views)('knows the view $id by its own link', ({ id, query }) =>
    expect(place(linkTo.customers(query).split('?')[1] ?? '').view).toBe(id),
  )
  it('keeps the view when it is narrowed, and says so', () =>
    expect(place('tab=manage&stage=lead&q=oak')).toMatchObject({
      view: 'lead',
      narrowed: true,
      filter: { stage: 'lead', q: 'oak' },
    }))
  it('is no view with two of them mixed', () => expect(place('stage=lead&noPin=true').view).toBeNull())
  it('takes what it does not know as not there', () =>
    expect(place('stage=king&hasJob=maybe&sort=shoe&order=up&customerId=7&importId=x')).toMatchObject({
      filter: {},
      sort: 'name',
      order: 'asc',
      customerId: '7',
    }))
})

it('reads what a link says', () => {
  const id = '01a1ff84-fab4-74dc-8663-90f4b25b03f3'
  const at = (href: string) => place(href.split('?')[1] ?? '')
  expect(at(linkTo.customer(id, { part: 'messages', archived: true }))).toMatchObject({
    customerId: id,
    part: 'messages',
    view: 'archived',
  })
  expect(at(linkTo.customers({ noPin: true, importId: id })).filter).toEqual({ noPin: true, importId: id })
  expect(at(linkTo.customerMap({ customerId: id })).customerId).toBe(id)
})
