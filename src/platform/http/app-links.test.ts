import { fastify } from 'fastify'
import { expect, it } from 'vitest'
import { ConfigError, loadConfig } from '../config.ts'
import { appLinksPlugin } from './app-links.ts'

const print = Array.from({ length: 32 }, (_, at) => at.toString(16).padStart(2, '0')).join(':')

const askAll = async (env: Record<string, string>) => {
  const app = fastify()
  await app.register(appLinksPlugin, loadConfig(env).shell)
  const paths = ['/.well-known/assetlinks.json', '/.well-known/apple-app-site-association']
  const replies = await Promise.all(paths.map((url) => app.inject({ url })))
  await app.close()
  return replies
}

it('a server without a shell of its own vouches for none', async () => {
  expect((await askAll({})).map(({ statusCode }) => statusCode)).toEqual([404, 404])
})

it('names its shells to the phones, in what each of them reads', async () => {
  const [google, apple] = await askAll({
    SWATH_APP_ANDROID: `com.example.crew@${print},${print.toUpperCase()}`,
    SWATH_APP_IOS: 'A1B2C3D4E5.com.example.crew',
  })
  expect(google?.json()).toEqual([
    {
      relation: ['delegate_permission/common.handle_all_urls'],
      target: {
        namespace: 'android_app',
        package_name: 'com.example.crew',
        sha256_cert_fingerprints: [print.toUpperCase(), print.toUpperCase()],
      },
    },
  ])
  expect(apple?.headers['content-type']).toMatch(/^application\/json/)
  expect(apple?.json()).toEqual({
    applinks: {
      details: [
        {
          appIDs: ['A1B2C3D4E5.com.example.crew'],
          components: [{ '/': '/employee-invite/*' }, { '/': '/login-success' }, { '/': '/reset-password' }],
        },
      ],
    },
  })
})

it.each([
  [{ SWATH_APP_ANDROID: 'com.example.crew' }, 'SWATH_APP_ANDROID must look like com.example.crew@14:6D:'],
  [{ SWATH_APP_ANDROID: `com.example.crew@${print.slice(3)}` }, 'SWATH_APP_ANDROID must look like'],
  [{ SWATH_APP_IOS: 'com.example.crew' }, 'SWATH_APP_IOS must look like A1B2C3D4E5.com.example.crew'],
])('%j is refused in one line', (env, line) => {
  expect(() => loadConfig(env)).toThrow(ConfigError)
  expect(() => loadConfig(env)).toThrow(line)
})
