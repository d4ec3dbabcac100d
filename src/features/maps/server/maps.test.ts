import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { PMTiles } from 'pmtiles'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { buildServer } from '../../../app-server.ts'
import { config } from '../../../platform/config.ts'
import { mapSettingsOf } from '../../../platform/geo/map-settings.ts'
import { testServer } from '../../../test/api.ts'
import { aBusiness } from '../../../test/factories.ts'
import { archiveOf } from '../../../test/map-town.ts'
import { mapsApi } from '../contract.ts'

const folder = mkdtempSync(join(tmpdir(), 'swath-maps-'))
const file = join(folder, 'georgia.pmtiles')
const archive = archiveOf('protomaps')
const settings = { ...config.maps }
let app: FastifyInstance | undefined

beforeAll(async () => {
  await testServer()
  writeFileSync(file, archive)
  writeFileSync(join(folder, 'secret.txt'), 'not for you')
})
afterEach(async () => {
  await app?.close()
  app = undefined
  Object.assign(config.maps, settings)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const serverWith = async (values: Parameters<typeof mapSettingsOf>[0]): Promise<FastifyInstance> => {
  Object.assign(config.maps, mapSettingsOf(values))
  app = await buildServer()
  return app
}
const policyOf = async (server: FastifyInstance): Promise<Record<string, string>> => {
  const policy = String((await server.inject({ url: '/health' })).headers['content-security-policy'])
  return Object.fromEntries(
    policy.split(';').map((part) => [part.trim().split(' ')[0], part.trim().split(' ').slice(1).join(' ')]),
  )
}

describe('our own archive of map tiles', () => {
  it('is answered in the ranges that a browser asks for, with a mark that changes with the file', async () => {
    const server = await serverWith({ SWATH_MAP_PMTILES: file })
    const ask = (headers: Record<string, string>) => server.inject({ url: '/maps/georgia.pmtiles', headers })
    const head = await ask({ range: 'bytes=0-126' })
    expect([head.statusCode, head.headers['content-range']]).toEqual([206, `bytes 0-126/${archive.length}`])
    expect(head.rawPayload.equals(archive.subarray(0, 127))).toBe(true)
    const middle = await ask({ range: 'bytes=500-1499', 'accept-encoding': 'gzip, br' })
    expect(middle.headers['content-encoding']).toBeUndefined()
    expect(middle.rawPayload.equals(archive.subarray(500, 1500))).toBe(true)
    expect((await ask({ range: `bytes=${archive.length + 5}-` })).statusCode).toBe(416)
    const mark = String(head.headers.etag)
    expect(mark, 'a weak mark is none for the reader of archives').toMatch(/^"[^"]+"$/)
    expect((await ask({ range: 'bytes=0-126', 'if-range': mark })).statusCode).toBe(206)
    writeFileSync(file, Buffer.concat([archive, Buffer.alloc(8)]))
    const newer = await ask({ range: 'bytes=0-126' })
    expect(newer.headers.etag).not.toBe(mark)
    expect((await ask({ range: 'bytes=0-126', 'if-range': mark })).statusCode).toBe(200)
  })

  it('is taken up by an open map when a newer cut stands in its place', async () => {
    writeFileSync(file, archive)
    const server = await serverWith({ SWATH_MAP_PMTILES: file })
    const address = `${await server.listen({ port: 0, host: '127.0.0.1' })}/maps/georgia.pmtiles`
    const map = new PMTiles(address)
    const before = await map.getHeader()
    const next = Buffer.from(archive)
    next.writeUInt8(before.maxZoom - 1, 101)
    writeFileSync(join(folder, 'next.pmtiles'), Buffer.concat([next, Buffer.alloc(8)]))
    renameSync(join(folder, 'next.pmtiles'), file)
    await map.getMetadata()
    expect((await map.getHeader()).maxZoom).toBe(before.maxZoom - 1)
  })

  it('is all that is answered of its folder', async () => {
    const server = await serverWith({ SWATH_MAP_PMTILES: file })
    for (const path of ['secret.txt', '', '../etc/passwd', '%2e%2e/secret.txt', 'georgia.pmtiles/../secret.txt'])
      expect((await server.inject({ url: `/maps/${path}` })).body, path).not.toContain('not for you')
  })

  it('may stand behind a link, as a daily cut does', async () => {
    symlinkSync(file, join(folder, 'latest.pmtiles'))
    const server = await serverWith({ SWATH_MAP_PMTILES: join(folder, 'latest.pmtiles') })
    const got = await server.inject({ url: '/maps/latest.pmtiles', headers: { range: 'bytes=0-6' } })
    expect([got.statusCode, got.body]).toEqual([206, 'PMTiles'])
  })

  it.each([
    ['gone.pmtiles', null, 'must be a file that this server may read'],
    ['folder.pmtiles', 'a folder', 'must be a file that this server may read'],
    ['words.pmtiles', 'no tiles at all', 'must be a PMTiles archive'],
    ['old.pmtiles', Buffer.concat([Buffer.from('PMTiles\u0002'), Buffer.alloc(200)]), 'must be a PMTiles archive'],
  ])('%s keeps the server from starting, with a line that says why', async (name, content, words) => {
    const path = join(folder, name)
    if (content === 'a folder') mkdirSync(path)
    else if (content) writeFileSync(path, content)
    await expect(serverWith({ SWATH_MAP_PMTILES: path })).rejects.toThrow(`SWATH_MAP_PMTILES ${words}`)
  })
})

describe('the content security policy', () => {
  it('names nobody but who draws maps', async () => {
    const policy = await policyOf(await serverWith({}))
    const hosts = 'https://tiles.openfreemap.org https://basemap.nationalmap.gov https://imagery.nationalmap.gov'
    expect(policy['connect-src']).toBe(`'self' ${hosts}`)
    expect(policy['img-src']).toBe(`'self' data: blob: ${hosts}`)
    expect(policy['worker-src']).toBe("'self'")
  })

  it('names nobody at all when maps come from here', async () => {
    const policy = await policyOf(await serverWith({ SWATH_MAP_STYLE: 'none' }))
    expect(policy['connect-src']).toBe("'self'")
    expect(policy['img-src']).toBe("'self' data: blob:")
  })

  it('names the tag that counts conversions where one is set', async () => {
    const { conversionUrl } = config
    Object.assign(config, { conversionUrl: 'https://tags.example.com/c?e={event}' })
    try {
      expect((await policyOf(await serverWith({ SWATH_MAP_STYLE: 'none' })))['connect-src']).toBe(
        "'self' https://tags.example.com",
      )
    } finally {
      Object.assign(config, { conversionUrl })
    }
  })
})

describe('the settings of maps', () => {
  it('are told to everybody who draws a map, also to a visitor who draws a lawn', async () => {
    const own = await aBusiness()
    Object.assign(config.maps, mapSettingsOf({ SWATH_SATELLITE: 'google', SWATH_SATELLITE_KEY: 'AIzaSy-abc' }))
    expect(await own.api.ok(mapsApi.settings, {})).toEqual({
      streets: { kind: 'address', url: 'https://tiles.openfreemap.org/planet' },
      satellite: { kind: 'google', url: 'https://tile.googleapis.com', key: 'AIzaSy-abc' },
    })
    expect((await (await own.employee()).api.call(mapsApi.settings, {})).status).toBe(200)
    expect((await (await testServer()).inject({ url: mapsApi.settings.path })).statusCode).toBe(401)
    expect((await (await testServer()).inject({ url: mapsApi.visitorSettings.path })).statusCode).toBe(200)
  })

  it('are in the privacy notice', async () => {
    const notice = async (values: Parameters<typeof mapSettingsOf>[0]) =>
      (await (await serverWith(values)).inject({ url: '/privacy' })).body
    const both = await notice({})
    expect(both).toContain('OpenFreeMap (tiles.openfreemap.org) for streets')
    expect(both).toContain('the U.S. Geological Survey (basemap.nationalmap.gov and imagery.nationalmap.gov)')
    await app?.close()
    expect(await notice({ SWATH_MAP_STYLE: 'none' })).toContain('come from our own server; nobody else is asked')
  })
})
