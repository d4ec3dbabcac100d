import { describe, expect, test } from 'vitest'
import { pageNames, renderPage, renderRobots, renderSitemap } from '../../../main-public.tsx'
import { brand } from '../../../shared/brand.ts'
import { screenAt } from '../../../shared/screens.ts'
import { planFeatures } from '../../billing/rules.ts'
import { withSite } from '../rules.ts'
import { pictureFiles, pictures } from './pictures.ts'
import { formPages, sitePages } from './site.ts'

const assets = {
  style: '.page{color:green}',
  js: '/assets/public/a.js',
  forms: { style: '.form{color:blue}', js: '/assets/public/forms.js' },
  fonts: ['/assets/public/a.woff2'],
  icon: '/favicon.svg',
  card: '/assets/public/card.jpg',
  pictures: Object.fromEntries(pictureFiles.map((file) => [file, `/assets/public/${file}`])),
}
const html = Object.fromEntries(pageNames.map((name) => [name, renderPage(name, assets)])) as Record<
  (typeof pageNames)[number],
  string
>
const site = {
  publicUrl: 'https://app.lawn.example',
  supportEmail: 'crew@lawn.example',
  supportPhone: '(912) 555-0100',
  company: 'Oak & Sons LLC, 1 Mill Rd, Savannah, GA',
  maps: [],
  tour: false,
}

/** What a reader sees: without markup, with the few entities that React writes. */
const textOf = (page: string): string =>
  page
    .replaceAll(/<(script|style)[\s\S]*?<\/\1>/g, '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll('&#x27;', "'")
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ')

const jsonLd = (page: string): ({ '@type': string } & Record<string, unknown>)[] =>
  [...page.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/g)].map((match) => JSON.parse(match[1] ?? ''))

describe('the words of the specification', () => {
  test.each([
    ['home', 'Route, schedule, and invoice in minutes.'],
    ['home', 'Apply for Free Setup Sprint'],
    ['home', 'How It Works'],
    ['home', 'Step 1 Apply'],
    ['home', 'Step 2 Setup Sprint'],
    ['home', 'Step 3 Go Live'],
    ['home', '40% less drive time'],
    ['home', '20+ hours saved a week'],
    ['home', '14 days'],
    ['home', '10 businesses a month'],
    ['home', '2 calls of 20 minutes each.'],
    ['home', 'Missing any step triggers a $299 onboarding fee.'],
    ['home', '14 days, counted from call 1.'],
    ['home', 'Between the calls you do your part'],
    ['home', 'You activate your profile with your real data.'],
    ['home', 'By call 2 your team is set up.'],
    ['terms', '2 calls of 20 minutes'],
    ['faq', '$299'],
    ['faq', 'Fourteen days with two calls of 20 minutes each and homework between them.'],
    ['about', '$299'],
    ['landing', 'Missing any step triggers a $299 onboarding fee.'],
    ['application', 'Missing any step triggers a $299 onboarding fee.'],
    ['terms', 'Missing any step triggers a $299 onboarding fee.'],
    ['pricing', 'Annual (Save 17%)'],
    ['pricing', '$49.99 a month'],
    ['pricing', '$499.99 a year'],
    ['pricing', '$79.99 a month'],
    ['pricing', '$799.99 a year'],
    ['pricing', '$199.99 a month'],
    ['pricing', '$1,999.99 a year'],
    ['pricing', 'Pro Recommended'],
    ['pricing', '25 customers'],
    ['pricing', '100 customers'],
    ['pricing', 'Unlimited customers'],
    ['pricing', '150 SMS segments'],
    ['pricing', '250 SMS segments'],
    ['pricing', 'Unlimited customers Unlimited messages'],
    ['features', 'Enterprise adds Phone support Dedicated account manager API keys Webhooks'],
    ['features', 'Unlimited customers and unlimited messages.'],
    ['pricing', 'What an SMS segment is'],
    ['pricing', '14-day free trial'],
    ['pricing', 'Phone support'],
    ['pricing', 'Dedicated account manager'],
    ['application', 'Six questions'],
    ['landing', 'Full name'],
    ['landing', 'Email'],
    ['landing', 'Phone'],
    ['landing', 'Continue to Full Application'],
    ['landing', 'See Our Limited Time Pricing'],
    ['landing', 'Consent is not a condition of buying anything.'],
    ['contact', 'Send message'],
    // a year's price by the month
    ['pricing', '$41.67/mo, $99.89 less than twelve months'],
  ] as const)('%s says %j', (name, words) => expect(textOf(html[name])).toContain(words))

  test('the button of the home page leads to the application', () =>
    expect(html.home).toMatch(/<a class="btn primary big" href="\/application">Apply for Free Setup Sprint<\/a>/))

  test('the home page has its three blurbs: route, schedule, invoice', () => {
    expect([...html.home.matchAll(/href="\/features#(\w+)">More on/g)].map(([, id]) => id)).toEqual([
      'routing',
      'scheduling',
      'invoicing',
    ])
  })

  test('the application asks six questions', () =>
    expect([...html.application.matchAll(/data-step="(\w+)"/g)].map(([, name]) => name)).toEqual([
      'contact',
      'business',
      'customers',
      'team',
      'today',
      'time',
      'live',
    ]))

  test('the ways on from the landing page lead to the application and the prices', () => {
    expect(html.landing).toMatch(/href="\/application">Continue to Full Application</)
    expect(html.landing).toMatch(/href="\/pricing">See Our Limited Time Pricing</)
  })

  test('the features page names each feature of a plan once, under the smallest plan that has it', () => {
    const names = [...html.features.slice(html.features.indexOf('plan-steps')).matchAll(/<li>([^<]+)<\/li>/g)].map(
      ([, name]) => name,
    )
    expect(names.slice(0, names.indexOf('Webhooks') + 1)).toEqual(Object.values(planFeatures))
  })

  test.each(['dashboard', 'route', 'season', 'invoices', 'list', 'crew'] as const)(
    'the picture %s is a real screen that comes when it is scrolled to, into a place of its own size',
    (name) => {
      const { file, width, height, alt } = pictures[name]
      const found = pageNames
        .flatMap((page) => html[page].match(/<img[^>]*>/g) ?? [])
        .filter((tag) => tag.includes(file))
      expect(found.length).toBeGreaterThan(0)
      for (const tag of found)
        for (const part of [`width="${width}"`, `height="${height}"`, `alt="${alt}"`, 'loading="lazy"'])
          expect(tag).toContain(part)
    },
  )

  test.each(['application', 'contact', 'book-call'] as const)('the form of %s has something beside it', (name) =>
    expect(html[name]).toMatch(/<aside class="beside"><h2>[^<]+<\/h2>/),
  )

  test('the landing page has the line that says how many places are left', () =>
    expect(html.landing).toContain('data-places'))

  test('no caption counts what the next picture may show otherwise', () => {
    const captions = pageNames.flatMap((name) => html[name].match(/<figcaption>[^<]*/g) ?? [])
    expect(captions.length).toBeGreaterThan(6)
    expect(captions.filter((words) => /\d+(%| lawns| customers| stops)/.test(words))).toEqual([])
  })

  test('no page promises a screen that is not there', () => {
    for (const page of [html.home, html.features, html.training, html.faq])
      expect(textOf(page)).not.toMatch(/calendar view|analytics|chat with|material calculator|customer portal/i)
  })

  test('no page says that something is not open yet', () => {
    for (const page of Object.values(html)) expect(textOf(page)).not.toMatch(/not open yet|until then|will be able/i)
  })
})

describe.each(pageNames)('%s', (name) => {
  const page = html[name]

  test('has the nav in its order, all three variants, and no script in the page', () => {
    const links = [...(page.match(/<ul class="pn-links">(.*?)<\/ul>/)?.[1] ?? '').matchAll(/>([^<>]+)<\/a>/g)].map(
      (match) => match[1],
    )
    expect(links).toEqual(['Home', 'Features', 'Pricing', 'Training', 'FAQ', 'Contact', 'About', 'Terms'])
    const wide = page.slice(page.indexOf('pn-wide'), page.indexOf('<details'))
    const words = (variant: string) =>
      textOf(wide.slice(wide.indexOf(`pn-for-${variant}`) - 1).split('</div>')[0] ?? '')
        .trim()
        .replace(/^.*?> ?/, '')
    expect(words('out')).toBe('Sign In Apply free')
    expect(words('tier')).toBe('Dashboard Profile Logout')
    expect(words('notier')).toBe('Profile Subscribe Logout')
    expect(page.match(/<script(?! type="application\/ld\+json")[^>]*>/g)).toEqual([
      '<script defer="" src="/assets/public/a.js">',
      ...(formPages.includes(name) ? ['<script defer="" src="/assets/public/forms.js">'] : []),
    ])
  })

  test('has a footer with the support contact', () => {
    const footer = textOf(page.slice(page.indexOf('<footer')))
    expect(footer).toContain(brand.supportEmail)
    expect(footer).toContain(brand.supportPhone)
    for (const label of ['Privacy', 'SMS terms', 'Terms', 'Pricing']) expect(footer).toContain(label)
    const year = new Date().getFullYear()
    expect(footer).toContain(`© ${year} ${brand.name}`)
    const filled = withSite(page, site)
    expect(filled.slice(filled.indexOf('<footer'))).toContain('Oak &amp; Sons LLC, 1 Mill Rd, Savannah, GA</span>')
  })

  test('has one h1, a title, a description of a fitting length and a canonical address', () => {
    expect(page.match(/<h1/g)).toHaveLength(1)
    expect(page.match(/<title>[^<]{10,70}<\/title>/)).not.toBeNull()
    const { description, path } = sitePages[name]
    expect(description.length).toBeGreaterThan(60)
    expect(description.length).toBeLessThan(165)
    expect(withSite(page, site)).toContain(`<link rel="canonical" href="https://app.lawn.example${path}"/>`)
    expect(withSite(page, site)).toContain(
      '<meta property="og:image" content="https://app.lawn.example/assets/public/card.jpg"/>',
    )
  })

  test('is filled with the support contact of the server, everywhere', () => {
    const filled = withSite(page, site)
    expect(filled).toContain('mailto:crew@lawn.example')
    expect(filled).toContain('tel:+19125550100')
    expect(filled).not.toContain(brand.supportEmail)
    expect(filled).not.toContain(brand.supportPhone)
    expect(filled).not.toContain('data-origin')
  })

  test('has no dead link: every path is a screen, every fragment stands on its page', () => {
    for (const [, href = ''] of page.matchAll(/<a [^>]*?href="([^"]*)"/g)) {
      if (/^(mailto|tel):/.test(href)) continue
      const [path = '', fragment] = href.split('#')
      const target = pageNames.find((each) => sitePages[each].path === (path.split('?')[0] || sitePages[name].path))
      if (!target) expect(screenAt(path.split('?')[0] ?? ''), href).toBeTruthy()
      if (fragment) expect(html[target ?? name], href).toContain(`id="${fragment}"`)
    }
  })

  test('has no id twice', () => {
    const ids = [...page.matchAll(/ id="([^"]+)"/g)].map((match) => match[1])
    expect(new Set(ids).size).toBe(ids.length)
  })
})

describe('what search engines read', () => {
  test('titles and descriptions that no two pages share and that are shown whole', () => {
    const titles = pageNames.map((name) => /<title>([^<]*)<\/title>/.exec(html[name])?.[1] ?? '')
    const descriptions = pageNames.map((name) => /name="description" content="([^"]*)"/.exec(html[name])?.[1] ?? '')
    expect(new Set(titles).size).toBe(pageNames.length)
    expect(new Set(descriptions).size).toBe(pageNames.length)
    for (const title of titles) {
      expect(title.length, title).toBeLessThanOrEqual(60)
      expect(title).toContain(brand.name)
    }
  })

  test('who we are, the prices, the questions, and where a page stands', () => {
    const types = (name: (typeof pageNames)[number]) => jsonLd(html[name]).map((each) => each['@type'])
    expect(types('home')).toEqual(['Organization', 'SoftwareApplication'])
    expect(types('pricing')).toEqual(['SoftwareApplication', 'BreadcrumbList'])
    expect(types('faq')).toEqual(['FAQPage', 'BreadcrumbList'])
    for (const name of pageNames) if (name !== 'home') expect(types(name)).toContain('BreadcrumbList')
    const offers = jsonLd(html.pricing)[0]?.offers as { price: string; priceCurrency: string }[]
    expect(offers.map(({ price }) => price)).toEqual(['49.99', '79.99', '199.99', '499.99', '799.99', '1999.99'])
    expect(offers.every(({ priceCurrency }) => priceCurrency === 'USD')).toBe(true)
    const questions = jsonLd(html.faq)[0]?.mainEntity as { name: string; acceptedAnswer: { text: string } }[]
    for (const { name, acceptedAnswer } of questions) {
      expect(textOf(html.faq)).toContain(name)
      expect(acceptedAnswer.text.length).toBeGreaterThan(10)
    }
    const terms = jsonLd(withSite(html.terms, site))[0]
    expect(terms?.itemListElement).toEqual([
      { '@type': 'ListItem', position: 1, name: 'Home', item: 'https://app.lawn.example/' },
      { '@type': 'ListItem', position: 2, name: 'Terms', item: 'https://app.lawn.example/terms' },
    ])
    expect(withSite(html.home, site)).toContain('"telephone":"(912) 555-0100"')
  })

  test('sitemap and robots with the public address', () => {
    const map = withSite(renderSitemap(), site)
    for (const path of pageNames.filter((name) => name !== 'landing').map((name) => sitePages[name].path))
      expect(map).toContain(`<loc>https://app.lawn.example${path}</loc>`)
    expect(map).not.toContain('/landing')
    expect(withSite(renderRobots(), site)).toContain('Sitemap: https://app.lawn.example/sitemap.xml')
  })
})
