import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { paths } from '../../shared/paths.ts'
import { formatPhone } from '../../shared/phone.ts'
import { movedTo, type ScreenEntry, screenAt } from '../../shared/screens.ts'
import { crewTourBase, insideTour, isCrewTourPath, isTourPath, tourBase } from '../../shared/tour.ts'

export type WebOptions = {
  /** Folder of the built web; the test of this plugin makes its own. */
  folder?: string
  /** Fills a prerendered page with this server's public address and support contact, for one `pageState`. */
  fillPage?: (text: string, state: string) => string
  /** What a business tells of itself, for its page at a name; null where it shows none. */
  businessAt?: (name: string) => Promise<PublicFacts | null>
  /** What the filling depends on and may change while the server runs; a page is filled again when it has. */
  pageState?: () => string
}

export type PublicFacts = { name: string; place: string | null; phone: string | null; email: string | null }

/** Words of a business in a document: nothing in them is markup. */
const words = (text: string): string => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)

const scriptless = /<noscript>[^<]*<\/noscript>/

/**
 * The document of a business's page, as somebody sees it before or without its script: who it is and how they are reached. A homeowner knows
 * nothing of the office.
 */
export const withBusiness = (document: string, business: PublicFacts | null): string => {
  const title = business
    ? [business.name, business.place ? `lawn care in ${business.place}` : 'lawn care'].join(', ')
    : 'Lawn care'
  const reach = business
    ? [
        business.phone ? `Call ${formatPhone(business.phone)}` : '',
        business.email ? `${business.phone ? 'or write' : 'Write'} to ${business.email}` : '',
      ]
        .filter(Boolean)
        .join(' ')
    : ''
  const told = [
    business ? `${title}.` : '',
    reach ? `${reach}.` : '',
    'To ask for a price on this page, switch JavaScript on in your browser.',
  ]
  return document
    .replace(/<title>[^<]*<\/title>/, () => {
      const description = business
        ? `<meta name="description" content="${words([title, reach].filter(Boolean).join('. '))}" />`
        : ''
      return `<title>${words(title)}</title>${description}`
    })
    .replace(scriptless, () => `<noscript>${words(told.filter(Boolean).join(' '))}</noscript>`)
}

const builtWeb = join(import.meta.dirname, '../../../dist/web')
const aYear = 365 * 24 * 3600 * 1000

/** Files that stand at the root. Everything else at the root is a screen or does not exist. */
const rootFile = /^\/[\w.-]+\.(svg|png|ico|js|txt|xml|webmanifest|html)$/
/** A browser that asks for a picture or a script must not be given the home page. */
const looksLikeFile = /\.(js|mjs|css|map|json|svg|png|jpe?g|gif|webp|ico|txt|xml|webmanifest|woff2?|php|env)$/i

const types: Record<string, string> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
  ico: 'image/x-icon',
  txt: 'text/plain; charset=utf-8',
  xml: 'application/xml; charset=utf-8',
  webmanifest: 'application/manifest+json',
}

type Cached = { mtimeMs: number; state: string; body: Buffer; etag: string }

/** Small files that change with a new build: kept in memory, read again when the build changes them. */
const smallFiles = (fillPage: (text: string, state: string) => string) => {
  const cache = new Map<string, Cached>()
  return (path: string, state: string): Cached | null => {
    const stat = statSync(path, { throwIfNoEntry: false })
    if (!stat?.isFile()) return null
    const known = cache.get(path)
    if (known?.mtimeMs === stat.mtimeMs && known.state === state) return known
    const raw = readFileSync(path)
    const body = /public[/\\][\w-]+\.(html|xml|txt)$/.test(path)
      ? Buffer.from(fillPage(raw.toString('utf8'), state))
      : raw
    const made = {
      mtimeMs: stat.mtimeMs,
      state,
      body,
      etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`,
    }
    cache.set(path, made)
    return made
  }
}

const businessPage = '/profile/:username'

const isCrewBrowser = (request: FastifyRequest): boolean =>
  /(?:^|;\s*)swath_app=employee(?:;|$)/.test(request.headers.cookie ?? '')

const documentsFor = (screen: ScreenEntry, request: FastifyRequest): string[] => {
  if (screen.surface === 'public')
    return [`public/${screen.path === '/' ? 'home' : screen.path.slice(1)}.html`, 'index.html']
  if (screen.surface === 'crew') return ['crew.html']
  if (screen.surface === 'byRole' && isCrewBrowser(request)) return ['crew.html']
  return ['index.html']
}

/**
 * What an address of the tour gets: the document of its app, or another address where the screen stands elsewhere. What is open to everybody
 * is not shown as a part of the tour.
 */
const tourAnswer = (path: string, search: string): { document: string } | { to: string } => {
  const inside = insideTour(path)
  const moved = movedTo(inside, search)
  if (moved) return { to: tourBase + moved }
  const screen = screenAt(inside)
  if (inside === paths.home || !screen || screen.path === paths.tour) return { to: tourBase + paths.dashboard }
  const from = search ? `?${search}` : ''
  if (screen.access === 'open' && screen.path !== paths.customerPage) return { to: inside + from }
  const isCrew = isCrewTourPath(path)
  const belongsToCrew = screen.surface === 'crew' || (screen.surface === 'byRole' && isCrew)
  if (belongsToCrew !== isCrew) return { to: (belongsToCrew ? crewTourBase : tourBase) + inside + from }
  return { document: isCrew ? 'crew.html' : 'index.html' }
}

const building = (reply: FastifyReply): FastifyReply =>
  reply
    .code(503)
    .type('text/plain; charset=utf-8')
    .header('retry-after', '5')
    .send('The web is being built. Reload in a few seconds.')

/** Serves the built web: hashed files for ever, documents always asked again, each path the document of its surface, all else to `/`. */
export const webPlugin: FastifyPluginAsync<WebOptions> = async (
  app,
  { folder = builtWeb, fillPage = (text) => text, pageState = () => '', businessAt },
) => {
  const read = smallFiles(fillPage)

  const send = (request: FastifyRequest, reply: FastifyReply, path: string, state = ''): FastifyReply | null => {
    const file = read(join(folder, path), state)
    if (!file) return null
    reply.header('cache-control', 'no-cache').header('etag', file.etag)
    if (path === 'sw.js') reply.header('service-worker-allowed', '/')
    if (request.headers['if-none-match'] === file.etag) return reply.code(304).send()
    return reply.type(types[path.split('.').at(-1) ?? ''] ?? 'application/octet-stream').send(file.body)
  }

  await app.register(fastifyStatic, {
    root: join(folder, 'assets'),
    prefix: '/assets/',
    wildcard: true,
    index: false,
    immutable: true,
    maxAge: aYear,
    preCompressed: true,
    decorateReply: false,
    suppressWarning: true,
    schemaHide: true,
    setHeaders: (reply, path) => {
      if (/\.m?js(\.br|\.gz)?$/.test(path)) reply.header('content-type', 'text/javascript; charset=utf-8')
    },
  })

  app.route({
    method: ['GET', 'HEAD'],
    url: '/*',
    schema: { hide: true },
    handler: async (request, reply) => {
      const [path = '/', search = ''] = request.url.split('?')
      if (isTourPath(path)) {
        const answer = tourAnswer(path, search)
        reply.header('x-robots-tag', 'noindex')
        if ('to' in answer) return reply.header('cache-control', 'no-store').redirect(answer.to, 302)
        return send(request, reply, answer.document) ?? building(reply)
      }
      const moved = movedTo(path, search)
      if (moved) return reply.redirect(moved, 302)

      const screen = screenAt(path)
      if (screen) {
        // What a screen shows depends on who asks; nothing between the server and the browser may keep it.
        if (screen.surface === 'byRole') reply.header('vary', 'cookie')
        // A search engine finds the public site and the pages of businesses; the office and what stands behind a link in a mail are nobody else's.
        if (screen.surface !== 'public' && screen.path !== businessPage) reply.header('x-robots-tag', 'noindex')
        if (screen.path === businessPage && businessAt) {
          const file = read(join(folder, 'index.html'), '')
          if (!file) return building(reply)
          // the page asks for itself once its script runs: without words for search engines it is still the page
          const business = await businessAt(path.split('/')[2] ?? '').catch((error: unknown) => {
            request.log.error({ err: error }, 'The words of a business page were not read')
            return null
          })
          if (!business) reply.header('x-robots-tag', 'noindex')
          return reply
            .header('cache-control', 'no-cache')
            .type('text/html; charset=utf-8')
            .send(withBusiness(file.body.toString('utf8'), business))
        }
        const state = screen.surface === 'public' ? pageState() : ''
        for (const document of documentsFor(screen, request)) {
          const sent = send(request, reply, document, state)
          if (sent) return sent
        }
        return building(reply)
      }
      if (path === '/robots.txt' || path === '/sitemap.xml') {
        const sent = send(request, reply, `public${path}`)
        if (sent) return sent
      }
      if (rootFile.test(path) && path !== '/index.html') {
        const sent = send(request, reply, basename(path))
        if (sent) return sent
      }
      if (looksLikeFile.test(path))
        return reply.code(404).type('text/plain; charset=utf-8').send('There is no such file.')
      return reply.redirect('/', 302)
    },
  })
}
