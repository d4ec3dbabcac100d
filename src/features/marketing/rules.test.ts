import { describe, expect, test } from 'vitest'
import { appStartOf, navSessionOf, telHref, withSite } from './rules.ts'

const site = {
  publicUrl: 'https://app.lawn.example',
  supportEmail: 'crew@lawn.example',
  supportPhone: '(912) 555-0100',
  company: 'Oak & Sons LLC',
  maps: [],
  tour: false,
}

describe('the nav hint', () => {
  test.each([
    ['', 'out'],
    ['swath_nav=tier', 'tier'],
    ['a=1; swath_nav=notier; b=2', 'notier'],
    ['x_swath_nav=tier', 'out'],
    ['swath_nav=tierx', 'out'],
    ['swath_nav=', 'out'],
  ])('%j means %s', (cookies, expected) => expect(navSessionOf(cookies)).toBe(expected))
})

describe('filling a page with the site', () => {
  test.each([
    [
      '<link rel="canonical" data-origin="href" href="/pricing"/>',
      '<link rel="canonical" href="https://app.lawn.example/pricing"/>',
    ],
    [
      '<meta property="og:url" data-origin="content" content="/"/>',
      '<meta property="og:url" content="https://app.lawn.example/"/>',
    ],
    ['<a href="/pricing">Pricing</a>', '<a href="/pricing">Pricing</a>'],
    ['<loc>{ORIGIN}/faq</loc>', '<loc>https://app.lawn.example/faq</loc>'],
    [
      '<a href="mailto:help@swath.example">help@swath.example</a>',
      '<a href="mailto:crew@lawn.example">crew@lawn.example</a>',
    ],
    ['<a href="tel:+15550100142">(555) 010-0142</a>', '<a href="tel:+19125550100">(912) 555-0100</a>'],
  ])('%s', (from, to) => expect(withSite(from, site)).toBe(to))

  test('the way into the tour stands there only while there is one', () => {
    const page = '<p>before</p><p data-tour="" class="look">Or <a href="/tour">take the tour</a></p><p>after</p>'
    expect(withSite(page, { ...site, tour: true })).toBe(page)
    expect(withSite(page, site)).toBe('<p>before</p><p>after</p>')
  })

  test('an address cannot break out of its attribute', () => {
    const evil = { ...site, supportEmail: '"><script>@x.example' }
    expect(withSite('<a href="mailto:help@swath.example">', evil)).not.toContain('<script>')
  })
})

describe('phone links', () => {
  test.each([
    ['(555) 010-0142', 'tel:+15550100142'],
    ['+44 20 7946 0018', 'tel:+442079460018'],
  ])('%s', (phone, href) => expect(telHref(phone)).toBe(href))
})

describe('the native app leaves a web-only page', () => {
  test.each([
    ['', '/signin'],
    ['swath_app=employee', '/signin'],
    ['swath_nav=tier; swath_app=admin', '/dashboard'],
    ['swath_nav=notier', '/dashboard'],
    ['swath_app=employee; swath_nav=tier', '/employee-dashboard'],
  ])('%j to %s', (cookies, expected) => expect(appStartOf(cookies)).toBe(expected))
})
