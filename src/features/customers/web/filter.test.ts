import { describe, expect, it } from 'vitest'
import { readPlace, viewHref, views } from './filter.ts'

const place = (query: string) => readPlace(new URLSearchParams(query))

describe('the list in the address bar', () => {
  it.each(views)('knows the view $id by its own link', ({ id, query }) =>
    expect(place(viewHref(query).split('?')[1] ?? '').view).toBe(id),
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
      customerId: null,
    }))
})
