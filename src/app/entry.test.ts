import { describe, expect, test } from 'vitest'
import { screens } from '../shared/screens.ts'
import { dependsOnUser, type EntryUser, resolveEntry } from './entry.ts'

const owner: EntryUser = {
  role: 'Owner',
  email: 'owner@demo.swath.test',
  subscriptionActive: true,
  subscriptionTier: 'pro',
}
const admin: EntryUser = { ...owner, role: 'Admin', email: 'admin@demo.swath.test' }
const lapsed: EntryUser = { ...owner, subscriptionActive: false }
const tierless: EntryUser = { ...owner, subscriptionTier: null }
const crew: EntryUser = {
  role: 'Employee',
  email: 'crew@demo.swath.test',
  subscriptionActive: false,
  subscriptionTier: null,
}
const anyone = [null, owner, admin, lapsed, crew]

const on =
  (platform: 'web' | 'native') =>
  (path: string, user: EntryUser | null, search = '') =>
    resolveEntry({ user, platform, path, search })
const web = on('web')
const native = on('native')

describe('moved addresses', () => {
  test.each([
    ['/quote-builder', '/application'],
    ['/admin-chat', '/employees?tab=communications'],
    ['/manage-jobs', '/jobs?tab=manage'],
    ['/invoices', '/jobs?tab=invoices'],
    ['/manage-customers', '/customers?tab=manage'],
    ['/add-customer', '/customers?tab=create'],
    ['/customer-map', '/customers?tab=map'],
    ['/manage-employees', '/employees?tab=crews'],
    ['/add-employee', '/employees?tab=create'],
    ['/employee-management', '/employees?tab=manage'],
    ['/timesheets', '/employees?tab=timesheets'],
  ])('%s leads to %s for everybody on both platforms', (from, to) => {
    for (const user of anyone) {
      expect(web(from, user)).toEqual({ redirect: to })
      expect(native(`${from}/`, user)).toEqual({ redirect: to })
    }
  })

  test('keeps the query and lets its own tab win', () => {
    expect(web('/invoices', owner, '?status=overdue&tab=create')).toEqual({
      redirect: '/jobs?status=overdue&tab=invoices',
    })
  })
})

describe('unknown paths', () => {
  test.each(['/nope', '/nope/x', '/dashboard/extra', '/employee', '/quote', '/i', '/jobs.html', '/Dashboard '])(
    '%s goes to /',
    (path) => {
      for (const user of anyone) expect(web(path, user)).toEqual({ redirect: '/' })
    },
  )
})

describe('public pages', () => {
  const pages = ['/landing', '/owner/leads', '/features', '/contact', '/about', '/terms', '/faq', '/training']
  test.each(pages)('%s shows on the web and leaves in the native app', (path) => {
    for (const user of anyone) expect(web(path, user).show?.path).toBe(path)
    expect(native(path, null)).toEqual({ redirect: '/signin' })
    expect(native(path, crew)).toEqual({ redirect: '/employee-dashboard' })
    expect(native(path, owner)).toEqual({ redirect: '/dashboard' })
    expect(native(path, admin)).toEqual({ redirect: '/dashboard' })
  })

  test('/ is the home page on the web and the own start in the native app', () => {
    for (const user of anyone) expect(web('/', user)).toMatchObject({ show: { path: '/' }, as: 'public' })
    expect(native('/', null)).toEqual({ redirect: '/signin' })
    expect(native('/', crew)).toEqual({ redirect: '/employee-dashboard' })
    expect(native('/', owner)).toEqual({ redirect: '/dashboard' })
  })

  test('nobody is led away before it is known who they are', () => {
    for (const path of ['/', '/features', '/owner/leads']) {
      expect(dependsOnUser({ platform: 'native', path })).toBe(true)
      expect(dependsOnUser({ platform: 'web', path })).toBe(false)
    }
    for (const platform of ['web', 'native'] as const) {
      expect(dependsOnUser({ platform, path: '/signin' })).toBe(false)
      expect(dependsOnUser({ platform, path: '/dashboard' })).toBe(true)
      expect(dependsOnUser({ platform, path: '/nope' })).toBe(true)
    }
  })

  test.each([
    '/signin',
    '/register',
    '/pricing',
    '/application',
    '/book-call',
    '/profile/green-acres',
    '/forgot-password',
    '/reset-password',
    '/oauth-success',
    '/login-success',
    '/payment-success',
    '/employee-invite/tok',
    '/i/tok',
    '/u/tok',
    '/local/outbox',
    '/local/phone',
    '/local/checkout/cs_1',
    '/owner/register',
  ])('%s is open to everybody', (path) => {
    for (const user of anyone) {
      expect(web(path, user).show).toBeDefined()
      expect(native(path, user).show).toBeDefined()
    }
  })
})

describe('protected screens', () => {
  const subscribed = ['/dashboard', '/jobs', '/quotes', '/leads', '/analytics']
  const members = [
    '/employee-dashboard',
    '/employee-week-view',
    '/employee-chat',
    '/employee-profile',
    '/employee-quotes',
    '/employee-timeclock',
    '/employee-timesheets',
    '/quote-builder-pro',
  ]
  const office = [
    '/profile',
    '/calendar',
    '/customers',
    '/employees',
    '/send-notifications',
    '/material-calculator',
    '/tools',
    '/quickbooks',
    '/mobile-calendar',
    '/payments/connect/refresh',
    '/payments/connect/return',
  ]
  const signIn = { redirect: '/signin', state: { message: 'Please sign in to access this page.' } }

  test.each([...subscribed, ...members, ...office, '/route-map'])('%s sends somebody signed out to sign in', (path) => {
    expect(web(path, null)).toEqual(signIn)
    expect(native(path, null)).toEqual(signIn)
  })

  test.each(subscribed)('%s needs an active subscription with a tier', (path) => {
    const refused = {
      redirect: '/pricing',
      state: { message: 'Active subscription required to access this feature.', email: 'owner@demo.swath.test' },
    }
    expect(web(path, lapsed)).toEqual(refused)
    expect(web(path, tierless)).toEqual(refused)
    expect(web(path, owner)).toMatchObject({ show: { path }, as: 'admin' })
    expect(web(path, admin)).toMatchObject({ show: { path }, as: 'admin' })
  })

  test.each(office)('%s needs a sign-in only', (path) => {
    for (const user of [owner, admin, lapsed, tierless])
      expect(web(path, user)).toMatchObject({ show: { path }, as: 'admin' })
  })

  test.each([...subscribed, ...office])('%s sends a crew member to the own day', (path) => {
    expect(web(path, crew)).toEqual({ redirect: '/employee-dashboard' })
  })

  test.each(members.filter((path) => path.startsWith('/employee')))(
    '%s opens in the crew app, also for an owner on a crew',
    (path) => {
      for (const user of [crew, owner, lapsed]) expect(web(path, user)).toMatchObject({ show: { path }, as: 'crew' })
    },
  )

  test('/route-map follows the role', () => {
    expect(web('/route-map', crew, '?tab=saved')).toMatchObject({ as: 'crew' })
    expect(web('/route-map', lapsed)).toMatchObject({ as: 'admin' })
  })

  test('/quote-builder-pro opens for everybody signed in, in their own app', () => {
    for (const user of [owner, lapsed]) expect(web('/quote-builder-pro', user)).toMatchObject({ as: 'admin' })
    expect(web('/quote-builder-pro', crew)).toMatchObject({ as: 'crew' })
  })
})

test('every screen has its own path', () => {
  expect(new Set(screens.map((s) => s.path)).size).toBe(screens.length)
})

test.each(screens.filter(({ access }) => access !== 'open').map(({ path }) => path))(
  'an Employee never gets the office shell at %s',
  (path) => {
    const entry = web(path.replace(/:\w+/, 'x'), crew)
    expect(entry.show ? entry.as : entry.redirect).toMatch(/^(crew|\/employee-dashboard)$/)
  },
)
