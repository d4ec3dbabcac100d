import type { FastifyPluginAsync } from 'fastify'
import { z } from 'zod'

/** Links that the native shell opens itself: they leave cookies behind, which belong where the person works. */
const shellPaths = ['/employee-invite/*', '/login-success', '/reset-password']

const android =
  /^([a-z][\w]*(?:\.[a-z][\w]*)+)@((?:[0-9A-F]{2}:){31}[0-9A-F]{2}(?:,(?:[0-9A-F]{2}:){31}[0-9A-F]{2})*)$/i
const ios = /^[A-Z0-9]{10}\.[A-Za-z][\w-]*(?:\.[A-Za-z0-9][\w-]*)+$/

/** Which native shells belong to this server; the phones ask before they hand them its links. */
export const shellEnvironment = {
  SWATH_APP_ANDROID: z
    .string()
    .regex(android, 'must look like com.example.crew@14:6D:…, the app id and the SHA-256 of its signing certificate')
    .optional(),
  SWATH_APP_IOS: z
    .string()
    .regex(ios, 'must look like A1B2C3D4E5.com.example.crew, the team and the app id')
    .optional(),
}

export type ShellSettings = { android: { id: string; fingerprints: string[] } | null; ios: string | null }

export const shellSettingsOf = (values: {
  SWATH_APP_ANDROID?: string | undefined
  SWATH_APP_IOS?: string | undefined
}): ShellSettings => {
  const [, id, prints] = android.exec(values.SWATH_APP_ANDROID ?? '') ?? []
  return {
    android: id && prints ? { id, fingerprints: prints.toUpperCase().split(',') } : null,
    ios: values.SWATH_APP_IOS ?? null,
  }
}

/** What Android (Digital Asset Links) and iOS (associated domains) ask of a server; nothing without a shell of its own. */
export const appLinksPlugin: FastifyPluginAsync<ShellSettings> = async (app, settings) => {
  if (settings.android) {
    const { id, fingerprints } = settings.android
    const answer = [
      {
        relation: ['delegate_permission/common.handle_all_urls'],
        target: { namespace: 'android_app', package_name: id, sha256_cert_fingerprints: fingerprints },
      },
    ]
    app.get('/.well-known/assetlinks.json', { schema: { hide: true } }, (_request, reply) => reply.send(answer))
  }
  if (settings.ios) {
    const details = [{ appIDs: [settings.ios], components: shellPaths.map((path) => ({ '/': path })) }]
    app.get('/.well-known/apple-app-site-association', { schema: { hide: true } }, (_request, reply) =>
      reply.type('application/json').send({ applinks: { details } }),
    )
  }
}
