import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type FastifyInstance, fastify } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { webPlugin, withBusiness } from './web.ts'

let app: FastifyInstance
let folder: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'swath-web-'))
  mkdirSync(join(folder, 'public'))
  mkdirSync(join(folder, 'assets/admin'), { recursive: true })
  const files = {
    'index.html': 'office app',
    'crew.html': 'crew app',
    'sw.js': 'worker',
    'favicon.svg': '<svg/>',
    'manifest.admin.json': '{}',
    'public/home.html': 'home {ORIGIN}',
    'public/pricing.html': 'pricing',
    'public/sitemap.xml': '<x>{ORIGIN}</x>',
    'assets/admin/app-abc.js': 'plain',
    'assets/admin/app-abc.js.br': 'squeezed',
    'assets/admin/worker-abc.mjs': 'worker',
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  app = fastify()
  app.get('/api/x', () => ({ ok: true }))
  await app.register(webPlugin, { folder, fillPage: (text: string) => text.replace('{ORIGIN}', 'https://swath.test') })
})
afterAll(async () => {
  await app.close()
  rmSync(folder, { recursive: true })
})

const get = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers })

describe('documents', () => {
  test.each([
    ['/', 'home https://swath.test'],
    ['/pricing', 'pricing'],
    ['/pricing/?utm_source=google', 'pricing'],
    ['/faq', 'office app'],
    ['/signin', 'office app'],
    ['/jobs?tab=invoices', 'office app'],
    ['/i/abc', 'office app'],
    ['/employee-dashboard', 'crew app'],
    ['/route-map', 'office app'],
    ['/tour/dashboard', 'office app'],
    ['/tour/route-map', 'office app'],
    ['/tour/customer-page', 'office app'],
    ['/tour/crew/employee-dashboard', 'crew app'],
    ['/tour/crew/route-map', 'crew app'],
    ['/sitemap.xml', '<x>https://swath.test</x>'],
  ])('%s is %s', async (url, text) => {
    const reply = await get(url)
    expect(reply.statusCode).toBe(200)
    expect(reply.body).toBe(text)
    expect(reply.headers['cache-control']).toBe('no-cache')
  })

  test.each([
    ['/tour', '/tour/dashboard'],
    ['/tour/', '/tour/dashboard'],
    ['/tour/crew', '/tour/dashboard'],
    ['/tour/nowhere', '/tour/dashboard'],
    ['/tour/employee-dashboard', '/tour/crew/employee-dashboard'],
    ['/tour/crew/jobs?tab=invoices', '/tour/jobs?tab=invoices'],
    ['/tour/invoices', '/tour/jobs?tab=invoices'],
    ['/tour/pricing', '/pricing'],
    ['/tour/signin', '/signin'],
    ['/tour//other.example', '/tour/dashboard'],
  ])('%s of the tour leads to %s', async (url, to) => {
    const reply = await get(url)
    expect([reply.statusCode, reply.headers.location]).toEqual([302, to])
  })

  test('no hint of a real crew member changes what the tour shows, and no search engine keeps it', async () => {
    const reply = await get('/tour/route-map', { cookie: 'swath_app=employee' })
    expect([reply.body, reply.headers['x-robots-tag']]).toEqual(['office app', 'noindex'])
  })

  test('the route map follows the hint of the browser', async () => {
    const reply = await get('/route-map?tab=saved', { cookie: 'a=b; swath_app=employee' })
    expect(reply.body).toBe('crew app')
    expect(reply.headers.vary).toContain('cookie')
    expect((await get('/route-map', { cookie: 'swath_app=admin' })).body).toBe('office app')
  })

  test.each([
    ['/', undefined],
    ['/pricing', undefined],
    ['/profile/green-lawns', undefined],
    ['/profile', 'noindex'],
    ['/signin', 'noindex'],
    ['/i/abc', 'noindex'],
    ['/dashboard', 'noindex'],
    ['/route-map', 'noindex'],
    ['/employee-dashboard', 'noindex'],
    ['/owner/leads', 'noindex'],
  ])('a search engine is told of %s: %s', async (url, told) =>
    expect((await get(url)).headers['x-robots-tag']).toBe(told),
  )

  test('an unchanged document is not sent again', async () => {
    const { headers } = await get('/')
    expect((await get('/', { 'if-none-match': String(headers.etag) })).statusCode).toBe(304)
  })
})

describe('elsewhere', () => {
  test.each([
    ['/nope', '/'],
    ['/nope/x?y=1', '/'],
    ['/index.html', '/'],
    ['/manage-jobs', '/jobs?tab=manage'],
    ['/invoices?status=overdue', '/jobs?status=overdue&tab=invoices'],
    ['/quote-builder', '/application'],
  ])('%s leads to %s', async (url, location) => {
    const reply = await get(url)
    expect([reply.statusCode, reply.headers.location]).toEqual([302, location])
  })

  test.each([
    '/missing.png',
    '/manifest.admin.json',
    '/assets/admin/gone.js',
    '/../package.json',
    '/public/home.html/..%2f..%2findex.html',
  ])('%s gives nothing away', async (url) => {
    const reply = await get(url)
    expect([302, 404]).toContain(reply.statusCode)
    expect(reply.body).not.toContain('office app')
  })

  test('the API is left alone', async () => {
    expect((await get('/api/x')).json()).toEqual({ ok: true })
  })
})

describe('files', () => {
  test('hashed files are kept for ever and come squeezed', async () => {
    const plain = await get('/assets/admin/app-abc.js')
    expect(plain.headers['cache-control']).toBe('public, max-age=31536000, immutable')
    const squeezed = await get('/assets/admin/app-abc.js', { 'accept-encoding': 'br, gzip' })
    expect([squeezed.headers['content-encoding'], squeezed.body]).toEqual(['br', 'squeezed'])
    expect(squeezed.headers['content-type']).toMatch(/^(text|application)\/javascript/)
  })

  test('a module worker is a script', async () => {
    expect((await get('/assets/admin/worker-abc.mjs')).headers['content-type']).toBe('text/javascript; charset=utf-8')
  })

  test('the service worker may serve the whole site and is always asked again', async () => {
    const { headers } = await get('/sw.js')
    expect(headers).toMatchObject({ 'service-worker-allowed': '/', 'cache-control': 'no-cache' })
  })
})

describe('the page of a business', () => {
  const office = '<title>Swath</title><noscript>Swath needs JavaScript for the office screens.</noscript>'

  test('names it and how it is reached before and without its script; what it says is never markup', () => {
    const page = withBusiness(office, {
      name: 'Oak & <Sons>',
      place: 'Savannah, GA',
      phone: '+19125550147',
      email: 'hello@oak.test',
    })
    expect(page).toContain('<title>Oak &#38; &#60;Sons&#62;, lawn care in Savannah, GA</title>')
    expect(page).toContain('Call (912) 555-0147 or write to hello@oak.test. To ask for a price on this page')
    expect(page).not.toContain('Swath')
  })

  test('says nothing of a business that shows none', () => {
    const page = withBusiness(office, null)
    expect(page).toBe(
      '<title>Lawn care</title><noscript>To ask for a price on this page, switch JavaScript on in your browser.</noscript>',
    )
  })
})
