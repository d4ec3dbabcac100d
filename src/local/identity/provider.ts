import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { exportJWK, generateKeyPair } from 'jose'
import type { Provider } from 'oidc-provider'
import {
  currentMode,
  type PlayedIdentity,
  setPlayedIdentity,
} from '../../features/accounts/identity/server/provider.ts'
import { hmacToken } from '../../platform/keys.ts'
import { absent, localHost, sendPage } from '../page.ts'
import { pickPage, trouble } from './pages.ts'
import { memoryAdapter } from './store.ts'

/** Address and secret of the provider on this computer. */
const localProvider = { path: '/local/identity', clientId: 'swath-on-this-computer' } as const

/** People that were typed in on the local sign-in page, by their subject. They last as long as the process. */
const people = new Map<string, { email: string; name: string; verified: boolean }>()

const subjectOf = (email: string): string => `local-${createHash('sha256').update(email).digest('hex').slice(0, 24)}`

const makeProvider = async (origin: string): Promise<Provider> => {
  // Loaded when somebody first presses the button; a server that never uses it never carries it.
  const [{ Provider: ProviderClass }, key] = await Promise.all([
    import('oidc-provider'),
    generateKeyPair('RS256', { extractable: true }),
  ])
  const issuer = `${origin}${localProvider.path}`
  return new ProviderClass(issuer, {
    adapter: memoryAdapter,
    clients: [
      {
        client_id: localProvider.clientId,
        client_secret: localProvider.clientId,
        redirect_uris: [`${origin}/api/auth/google/callback`],
        response_types: ['code'],
        grant_types: ['authorization_code'],
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    jwks: { keys: [{ ...(await exportJWK(key.privateKey)), alg: 'RS256', use: 'sig', kid: 'local' }] },
    cookies: { keys: [hmacToken('webhook-local', 'local-identity-cookies')] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, interaction) => `${localProvider.path}/pick/${interaction.uid}` },
    findAccount: (_context, subject) => {
      const person = people.get(subject)
      return person
        ? {
            accountId: subject,
            claims: () => ({ sub: subject, email: person.email, email_verified: person.verified, name: person.name }),
          }
        : undefined
    },
    // Nobody is asked for consent: this provider only ever serves this one product.
    loadExistingGrant: async (context) => {
      const { client, session, provider } = context.oidc
      const grant = new provider.Grant({ clientId: client?.clientId ?? '', accountId: session?.accountId ?? '' })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
    ttl: { Interaction: 600, Session: 600, Grant: 600, AuthorizationCode: 60, AccessToken: 600, IdToken: 600 },
    renderError: (context) => {
      context.type = 'html'
      context.body = trouble()
    },
  })
}

const providers = new Map<string, Promise<Provider>>()
const providerAt = (origin: string): Promise<Provider> => {
  const made = providers.get(origin) ?? makeProvider(origin)
  providers.set(origin, made)
  return made
}

const originOf = (request: FastifyRequest): string | null =>
  localHost.test(request.headers.host ?? '') ? `http://${request.headers.host}` : null

/** Answers calls of our own server to the provider without going over the network: the port need not be known. */
const inside =
  (app: FastifyInstance): PlayedIdentity['transport'] =>
  async (address, { method, headers, body }) => {
    const url = new URL(address)
    const answer = await app.inject({
      method: method as 'GET' | 'POST',
      url: `${url.pathname}${url.search}`,
      headers: { ...(headers as Record<string, string>), host: url.host },
      ...(body === undefined || body === null ? {} : { payload: String(body) }),
    })
    return new Response(answer.body, {
      status: answer.statusCode,
      headers: { 'content-type': String(answer.headers['content-type'] ?? '') },
    })
  }

const pick = async (request: FastifyRequest, reply: FastifyReply) => {
  const origin = originOf(request)
  if (!origin) return absent(reply)
  const provider = await providerAt(origin)
  try {
    await provider.interactionDetails(request.raw, reply.raw)
  } catch {
    return sendPage(reply, trouble(), 400)
  }
  if (request.method === 'GET')
    return sendPage(reply, pickPage({ path: request.url, email: '', name: '', problem: null }))
  const form = new URLSearchParams(String(request.body ?? ''))
  if (form.get('choice') === 'cancel') {
    const back = await provider.interactionResult(request.raw, reply.raw, {
      error: 'access_denied',
      error_description: 'The person canceled.',
    })
    return reply.redirect(back, 303)
  }
  const email = (form.get('email') ?? '').trim().toLowerCase()
  const name = (form.get('name') ?? '').trim().slice(0, 120)
  if (!/^\S+@\S+\.\S+$/.test(email) || email.length > 254)
    return sendPage(reply, pickPage({ path: request.url, email, name, problem: 'Enter an e-mail address.' }), 422)
  const subject = subjectOf(email)
  people.set(subject, { email, name: name || (email.split('@')[0] ?? email), verified: form.get('verified') === 'yes' })
  const back = await provider.interactionResult(request.raw, reply.raw, {
    login: { accountId: subject, remember: false },
  })
  return reply.redirect(back, 303)
}

/**
 * The identity provider of this computer, at /local/identity: what "Sign in with Google" leads to while nothing is configured. It is a real
 * OpenID Connect provider with a page on which anybody can be anybody, so it exists only in local mode: with PUBLIC_URL every address here is 404.
 */
export const localIdentity: FastifyPluginAsync = async (app) => {
  const isOpen = (): boolean => currentMode().mode === 'local'
  const takeBack = setPlayedIdentity({ ...localProvider, transport: inside(app) })
  app.addHook('onClose', async () => takeBack())
  await app.register(async (pages) => {
    pages.removeAllContentTypeParsers()
    pages.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
      done(null, body),
    )
    pages.route({
      method: ['GET', 'POST'],
      url: `${localProvider.path}/pick/:uid`,
      schema: { hide: true },
      handler: (request, reply) => (isOpen() ? pick(request, reply) : absent(reply)),
    })
  })
  await app.register(async (scope) => {
    // The provider reads the body itself.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
    scope.route({
      method: ['GET', 'POST', 'HEAD'],
      url: `${localProvider.path}/*`,
      schema: { hide: true },
      handler: async (request, reply) => {
        const origin = originOf(request)
        if (!isOpen() || !origin) return absent(reply)
        const provider = await providerAt(origin)
        reply.hijack()
        // It finds out below which path it is mounted by comparing the two.
        Object.assign(request.raw, { originalUrl: request.url, url: request.url.slice(localProvider.path.length) })
        provider.callback()(request.raw, reply.raw)
      },
    })
  })
}
