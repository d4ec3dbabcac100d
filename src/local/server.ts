import type { FastifyPluginAsync } from 'fastify'
import { config } from '../platform/config.ts'
import { notFound } from '../shared/errors.ts'
import { localAccounts } from './accounts/page.ts'
import { localBooksPages } from './books/pages.ts'
import { localDns } from './dns/page.ts'
import { localEndpointPlugins } from './endpoints.ts'
import { localIdentity } from './identity/provider.ts'
import { setLocalPost } from './payments/events.ts'
import { localPush } from './push/page.ts'

/** What a server on one's own computer has besides: the other side of every provider that is only played. */
export const localServer: FastifyPluginAsync = async (app) => {
  await app.register(async (scope) => {
    scope.addHook('onRequest', async () => {
      if (config.production) throw notFound('address')
    })
    for (const plugin of localEndpointPlugins) await scope.register(plugin)
  })
  await app.register(localIdentity)
  await app.register(localAccounts)
  await app.register(localBooksPages)
  await app.register(localPush)
  await app.register(localDns)
  const leave = setLocalPost(
    async (url, headers, payload) => (await app.inject({ method: 'POST', url, headers, payload })).statusCode,
  )
  app.addHook('onClose', async () => leave())
}
