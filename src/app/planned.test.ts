import { expect, test } from 'vitest'
import { screenAt, screens } from '../shared/screens.ts'
import { plannedPage, plannedPages } from './planned.ts'

test.each(Object.entries(plannedPages))('%s leads only to screens that there are', (key, page) => {
  const path = key.split('?')[0] ?? ''
  expect(screens.some((s) => s.path === path)).toBe(true)
  expect(page.today.length).toBeGreaterThan(0)
  for (const { href } of page.today) {
    const target = href.split('?')[0] ?? ''
    expect(screenAt(target)).not.toBeNull()
    // not in a circle: what works today is not itself a planned page
    expect(plannedPages[href] ?? plannedPages[target]).toBeUndefined()
  }
})

test.each(screens.map((s) => s.path))('%s has words of its own or a truthful fallback', (path) => {
  const page = plannedPage(path.replace(/:\w+/, 'x'))
  expect(page.title).not.toBe('')
  expect(page.what.endsWith('.')).toBe(true)
})

test('a tab has its own words before those of its hub', () => {
  expect(plannedPage('/customers', 'messages').title).toBe('Customer Messages')
  expect(plannedPage('/employees', 'timesheets').title).toBe('Timesheets')
})
