import { randomUUID } from 'node:crypto'
import compress from '@fastify/compress'
import cookie from '@fastify/cookie'
import helmet from '@fastify/helmet'
import swagger from '@fastify/swagger'
import { type FastifyInstance, type FastifyRequest, fastify } from 'fastify'
import { jsonSchemaTransform, serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import { endpointPlugins } from './app-endpoints.ts'
import { compose } from './app-parts.ts'
import { findPublicFacts } from './features/businesses/server/queries.ts'
import { withSite } from './features/marketing/rules.ts'
import { isTourOpen, lookForTour } from './features/tour/server/queries.ts'
import { config } from './platform/config.ts'
import { runAsTab } from './platform/events/origin.ts'
import { startStream, stopStream } from './platform/events/stream.ts'
import { mapHosts, originOf } from './platform/geo/map-settings.ts'
import { appLinksPlugin } from './platform/http/app-links.ts'
import { answerError } from './platform/http/errors.ts'
import { addEtags } from './platform/http/etag.ts'
import { readForm, skipForm } from './platform/http/forms.ts'
import { mapFilePlugin } from './platform/http/map-file.ts'
import { logRequest } from './platform/http/request-log.ts'
import { type WebOptions, webPlugin } from './platform/http/web.ts'
import { isLeaving } from './platform/leaving.ts'
import { beginAnswering } from './platform/quiet-moment.ts'
import { underRequest } from './platform/request-context.ts'
import { AppError } from './shared/errors.ts'

const maxBodyBytes = 256 * 1024

/** Hops count from the connection itself: of n proxies the n nearest are believed. */
const trusted = (proxies: number | string[] | undefined) =>
  typeof proxies === 'number' ? (_address: string, hop: number) => hop < proxies : (proxies ?? false)

/** How a page of the public site is filled: with who runs this server, and with the way into the tour while there is one. */
export const publicPages: Pick<WebOptions, 'pageState' | 'fillPage' | 'businessAt'> = {
  businessAt: findPublicFacts,
  pageState: () => (isTourOpen() ? 'tour' : ''),
  fillPage: (text, state) =>
    withSite(text, {
      publicUrl: config.publicUrl,
      supportEmail: config.supportEmail,
      supportPhone: config.supportPhone,
      company: config.company,
      maps: config.maps.services,
      tour: state === 'tour',
    }),
}

/** The whole server, ready to listen or to be asked directly by a test. The database must be connected. */
export const buildServer = async (): Promise<FastifyInstance> => {
  await compose()
  const app = fastify({
    bodyLimit: maxBodyBytes,
    requestTimeout: 120_000,
    genReqId: () => randomUUID(),
    trustProxy: trusted(config.trustProxy),
    logger: false,
    // What still comes on an open connection while the server closes is answered like the rest.
    return503OnClosing: false,
    routerOptions: { maxParamLength: 300 },
  })
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  app.setErrorHandler(answerError)
  app.decorateRequest('caller', undefined)
  app.addContentTypeParser(
    /^(image\/|application\/(octet-stream|pdf))/,
    { parseAs: 'buffer' },
    (_request, body, done) => done(null, body),
  )
  // Only where a contract asks for it: elsewhere a form of a foreign page must not be able to send anything.
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: 64 * 1024 },
    (request, body, done) => {
      if (!request.routeOptions.config.endpoint?.form)
        return done(Object.assign(new Error('No form is taken here.'), { statusCode: 415 }))
      done(null, Object.fromEntries(new URLSearchParams(String(body))))
    },
  )
  // Files come with a form only where its contract says so. Elsewhere it is the other way in which a mail program may press a one-click button; what is
  // in it says nothing more.
  app.addContentTypeParser('multipart/form-data', async (request: FastifyRequest, payload: AsyncIterable<Buffer>) => {
    const { form, formBytes } = request.routeOptions.config.endpoint ?? {}
    if (!form) throw Object.assign(new Error('No form is taken here.'), { statusCode: 415 })
    return formBytes === undefined
      ? skipForm(payload, 64 * 1024)
      : readForm(payload, request.headers['content-type'] ?? '', formBytes)
  })

  await app.register(helmet, {
    contentSecurityPolicy: {
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'"],
        // The component kit and the map set positions by style attributes.
        styleSrc: ["'self'", "'unsafe-inline'"],
        // Outside of our own server a page asks nobody but who draws maps, and the tag that the settings name.
        imgSrc: ["'self'", 'data:', 'blob:', ...mapHosts(config.maps)],
        connectSrc: [
          "'self'",
          ...mapHosts(config.maps),
          ...(config.conversionUrl ? [originOf(config.conversionUrl)] : []),
        ],
        workerSrc: ["'self'"],
        fontSrc: ["'self'"],
        objectSrc: ["'none'"],
        frameAncestors: ["'none'"],
        formAction: ["'self'"],
        baseUri: ["'self'"],
        upgradeInsecureRequests: config.production ? [] : null,
      },
    },
    strictTransportSecurity: config.production,
    crossOriginEmbedderPolicy: false,
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
  })
  await app.register(cookie)
  addEtags(app)
  await app.register(compress, { threshold: 1024, encodings: ['br', 'gzip'] })
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Swath',
        version: '1',
        description:
          'Money is integer cents, days are YYYY-MM-DD in the time zone of the business, instants are ISO 8601 UTC.',
      },
      components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
    },
    transform: jsonSchemaTransform,
  })
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id)
    if (isLeaving()) reply.header('connection', 'close')
    if (request.url.startsWith('/api/')) reply.header('cache-control', 'no-store')
    const end = beginAnswering(reply.raw)
    reply.raw.once('finish', end).once('close', end)
  })
  // after the body was read: what its stream calls back does not know the request
  app.addHook('preHandler', (request, _reply, done) => underRequest(request.id, done))
  app.addHook('preHandler', (request, _reply, done) => runAsTab(request.headers['x-tab'], done))
  app.addHook('onResponse', logRequest)
  for (const plugin of endpointPlugins) await app.register(plugin)
  if (!config.production) await app.register((await import('./local/server.ts')).localServer)
  app.all('/api/*', { schema: { hide: true } }, () => {
    throw new AppError('not_found', 'There is nothing at this address.')
  })
  if (config.maps.file) await app.register(mapFilePlugin, { file: config.maps.file })
  await app.register(appLinksPlugin, config.shell)
  await app.register(webPlugin, publicPages)
  app.addHook('onReady', lookForTour)
  app.addHook('onListen', startStream)
  app.addHook('preClose', stopStream)
  return app
}
