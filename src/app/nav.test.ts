import { describe, expect, test } from 'vitest'
import { defaultTabs, type Hub, hubTabs, tabOf } from '../shared/paths.ts'
import { screenAt } from '../shared/screens.ts'
import { crewNav } from './crewNav.ts'
import { hubAt, tabsOf } from './hubs.ts'
import { badgeText, holdsCurrent, hubSelector, isCurrent, newItems, officeNav } from './nav.ts'

const hubs = Object.keys(hubTabs) as Hub[]
const links = [
  ...officeNav.flatMap((g) => g.entries.flatMap((e) => [e.href, ...(e.items ?? []).map((i) => i.href)])),
  ...hubSelector.map((i) => i.href),
  ...newItems.map((i) => i.href),
]

test('the sidebar says what the specification says', () => {
  expect(
    officeNav.map((g) => [g.label, g.entries.map((e) => (e.items ? [e.label, e.items.map((i) => i.label)] : e.label))]),
  ).toEqual([
    ['Main', ['Dashboard']],
    [
      'Business',
      [
        ['Jobs & Invoicing', ['Create Job', 'Manage Jobs', 'Invoices', 'Services']],
        ['Quotes', ['Create', 'Manage', 'Templates']],
        'Leads',
        ['Customers', ['Create', 'Manage', 'Customer Messages', 'Customer Map']],
      ],
    ],
    [
      'Operations',
      [
        ['Routes', ['Route Map', 'Calendar View']],
        ['Employees', ['Create', 'Management', 'Crews', 'Communications', 'Timesheets']],
      ],
    ],
    ['Analytics & Tools', ['Analytics', 'Tools']],
    ['Account', ['Profile']],
  ])
  expect(hubSelector.map((i) => i.label)).toEqual([
    'Dashboard',
    'Customers',
    'Jobs',
    'Quotes',
    'Calendar',
    'Admin Chat',
  ])
})

test.each(links)('%s is a screen and, in a hub, one of its tabs', (href) => {
  const [path = '', query = ''] = href.split('?')
  expect(screenAt(path)).not.toBeNull()
  const tab = new URLSearchParams(query).get('tab')
  const hub = hubAt(path)
  if (tab) expect(hub && (hubTabs[hub] as readonly string[]).includes(tab)).toBe(true)
})

describe('tabs', () => {
  test.each(hubs)('%s: each tab has a label, an unknown or missing one is the default', (hub) => {
    for (const tab of tabsOf(hub)) {
      expect(tab.label).not.toBe(tab.value)
      expect(tabOf(hub, tab.value)).toBe(tab.value)
    }
    for (const value of ['nope', '', null, undefined, 'constructor']) expect(tabOf(hub, value)).toBe(defaultTabs[hub])
  })

  test('the address of a hub is known with or without a slash', () => {
    expect(hubAt('/route-map/')).toBe('route-map')
    expect(hubAt('/constructor')).toBeNull()
    expect(hubAt('/jobs/12')).toBeNull()
  })
})

describe('what is marked as current', () => {
  const jobs = officeNav[1]?.entries[0]
  const routes = officeNav[2]?.entries[0]
  test.each([
    ['/jobs?tab=invoices', '/jobs', 'invoices', true],
    ['/jobs?tab=invoices', '/jobs', 'manage', false],
    ['/dashboard', '/dashboard', null, true],
    ['/calendar', '/mobile-calendar', null, false],
  ])('%s at %s with tab %s: %s', (href, path, tab, expected) => {
    expect(isCurrent(href, path, tab)).toBe(expected)
  })
  test('a group is open where one of its items is shown', () => {
    expect(jobs && holdsCurrent(jobs, '/jobs', 'manage')).toBe(true)
    expect(routes && holdsCurrent(routes, '/calendar', null)).toBe(true)
    expect(jobs && holdsCurrent(jobs, '/quotes', 'manage')).toBe(false)
  })
})

test.each([
  [1, '1'],
  [9, '9'],
  [10, '9+'],
  [250, '9+'],
])('badge of %d', (count, text) => {
  expect(badgeText(count)).toBe(text)
})

test('the sidebar of employees says what the specification says, each leading to a screen of theirs', () => {
  expect(crewNav.map(({ label, href }) => [label, href])).toEqual([
    ['Dashboard', '/employee-dashboard'],
    ['Time Clock', '/employee-timeclock'],
    ['Schedule', '/employee-week-view'],
    ['Route Map', '/route-map'],
    ['Chat with Admin', '/employee-chat'],
    ['Profile', '/employee-profile'],
  ])
  for (const { href, es, dock } of crewNav) {
    expect(screenAt(href), href).not.toBeNull()
    // what stands below a thumb has room for one short word, in both languages
    for (const word of [es, dock]) expect(word.length, word).toBeLessThanOrEqual(9)
  }
})
