import { describe, expect, it } from 'vitest'
import { changedPlace, isSameView, markOf, placeOf, showView, viewQueryOf } from './rules.ts'

const north = { id: 'north', query: { q: 'oak', sort: 'customer.asc' }, isDefault: false }
const late = { id: 'late', query: { view: 'late' }, isDefault: false }
const views = [north, late]
const withDefault = [north, { ...late, isDefault: true }]
const at = (text: string) => new URLSearchParams(text)
const shown = (text: string, of = views) => {
  const { overtaken: _, params, view, ...place } = placeOf('jobs', at(text), of)
  return { params: params.toString(), view: view?.id ?? null, ...place }
}
const changed = (text: string, changes: Record<string, string | null>, of = views) =>
  changedPlace('jobs', at(text), of, changes).toString()

describe('what an address shows', () => {
  it.each([
    ['a bare one shows the list as it is', 'tab=manage', views, 'tab=manage', null, false],
    ['or the default', 'tab=manage', withDefault, 'tab=manage&view=late', 'late', true],
    ['also with a record open', 'jobId=1', withDefault, 'jobId=1&view=late', 'late', true],
    ['not where a filter stands', 'q=elm', withDefault, 'q=elm', null, false],
    ['nor where none is asked for', 'saved=none', withDefault, 'saved=none', null, false],
    ['a view is what is kept', 'saved=north&jobId=1', views, 'jobId=1&q=oak&sort=customer.asc', 'north', true],
    ['whatever filter stands beside it', 'saved=north&view=late', views, 'q=oak&sort=customer.asc', 'north', true],
    ['one that was changed is what stands', 'from=north&q=elm', views, 'from=north&q=elm', 'north', false],
    ['also all cleared, also with a default', 'from=north', withDefault, 'from=north', 'north', false],
  ])('%s', (_, text, of, params, view, asSaved) => {
    expect(shown(text, of)).toEqual({ params, view, asSaved, missing: false })
  })
  it('says that a view is not there', () => {
    expect(shown('saved=gone')).toMatchObject({ view: null, missing: true })
    expect(shown('from=gone&q=elm')).toMatchObject({ view: null, missing: false, params: 'from=gone&q=elm' })
  })
})

describe('an address that is changed', () => {
  it.each([
    [
      'a filter of a view writes it out',
      'saved=north&jobId=1',
      { q: 'elm' },
      views,
      `jobId=1&q=elm&sort=customer.asc&from=north&seen=${markOf('jobs', north.query)}`,
    ],
    [
      'a filter of the default too',
      '',
      { q: 'elm' },
      withDefault,
      `view=late&q=elm&from=late&seen=${markOf('jobs', late.query)}`,
    ],
    [
      'all of a view cleared is no bare address',
      'saved=north',
      { q: null, sort: null },
      views,
      `from=north&seen=${markOf('jobs', north.query)}`,
    ],
    ['what is kept is met again', 'from=north&q=elm&sort=customer.asc', { q: 'oak' }, views, 'saved=north'],
    ['a record opens beside the view', 'saved=north', { jobId: '1' }, views, 'saved=north&jobId=1'],
    ['a record opens beside the default', '', { jobId: '1' }, withDefault, 'jobId=1'],
    ['without a view it is as it was', 'q=oak', { q: 'elm' }, views, 'q=elm'],
    ['all cleared beside a default shows the list, not the default', 'q=oak', { q: null }, withDefault, 'saved=none'],
    ['all cleared without one', 'q=oak', { q: null }, views, ''],
    ['from none to a filter', 'saved=none', { q: 'oak' }, withDefault, 'q=oak'],
  ])('%s', (_, text, changes, of, result) => {
    expect(changed(text, changes, of)).toBe(result)
  })
  it('a view that somebody saved meanwhile is known: by what it shows, not by its name, and for the first change', () => {
    const address = changed('saved=north', { q: 'elm' })
    const further = changedPlace('jobs', at(address), [{ ...north, query: { q: 'fir' } }], { crewId: 'c' }).toString()
    const overtaken = (text: string, query: Record<string, string>) =>
      placeOf('jobs', at(text), [{ ...north, query }]).overtaken
    expect([overtaken(address, north.query), overtaken(address, { ...north.query, crewId: '' })]).toEqual([
      false,
      false,
    ])
    expect([overtaken(address, { q: 'fir' }), overtaken(further, { q: 'fir' })]).toEqual([true, true])
    expect([overtaken('from=north&q=elm', north.query), overtaken('saved=north', { q: 'fir' })]).toEqual([false, false])
  })
  it('another view takes the place of all of it', () => {
    expect(showView('jobs', at('tab=manage&q=elm&from=late'), 'north').toString()).toBe('tab=manage&saved=north')
    expect(showView('jobs', at('tab=manage&saved=north'), null, { view: 'late' }).toString()).toBe(
      'tab=manage&view=late',
    )
  })
})

it('what is as good as none is none, and the order of keys says nothing', () => {
  const query = at('sort=number.desc&view=active&q=%20oak%20&jobId=1')
  expect(viewQueryOf('jobs', (key) => query.get(key))).toEqual({ q: 'oak' })
  expect(isSameView('customers', { order: 'asc', tag: 'a', city: 'b' }, { city: 'b', tag: 'a' })).toBe(true)
  expect(isSameView('customers', { tag: 'a' }, { tag: 'b' })).toBe(false)
})
