import { describe, expect, it } from 'vitest'
import { ConfigError, loadConfig } from '../config.ts'
import { mapHosts } from './map-settings.ts'

const maps = (env: Record<string, string>) => loadConfig(env).maps

describe('what maps are drawn with', () => {
  it('is OpenFreeMap and the pictures of the Geological Survey when nothing is set, and nobody else is asked', () => {
    const { shown, file, services } = maps({})
    expect(shown.streets).toEqual({ kind: 'address', url: 'https://tiles.openfreemap.org/planet' })
    expect(shown.satellite).toMatchObject({ kind: 'tiles', layers: [{ maxZoom: 16 }, { minZoom: 16, maxZoom: 18 }] })
    expect(file).toBeUndefined()
    expect(services.map(({ name }) => name)).toEqual(['OpenFreeMap', 'the U.S. Geological Survey'])
    expect(mapHosts(maps({}))).toEqual([
      'https://tiles.openfreemap.org',
      'https://basemap.nationalmap.gov',
      'https://imagery.nationalmap.gov',
    ])
  })

  it.each([
    [{ SWATH_MAP_STYLE: 'none' }, null, null, []],
    [
      { SWATH_MAP_STYLE: 'none', SWATH_SATELLITE: 'usgs' },
      null,
      'tiles',
      ['https://basemap.nationalmap.gov', 'https://imagery.nationalmap.gov'],
    ],
    [{ SWATH_MAP_PMTILES: '/srv/maps/georgia.pmtiles' }, '/maps/georgia.pmtiles', null, []],
    [
      { SWATH_MAP_PMTILES: 'https://maps.example.com/georgia.pmtiles' },
      'https://maps.example.com/georgia.pmtiles',
      null,
      ['https://maps.example.com'],
    ],
    [
      {
        SWATH_MAP_STYLE: 'https://a.example.com/style.json?key=1',
        SWATH_MAP_HOSTS: 'https://tiles.example.com, https://fonts.example.com',
        SWATH_SATELLITE: 'none',
      },
      'https://a.example.com/style.json?key=1',
      null,
      ['https://a.example.com', 'https://tiles.example.com', 'https://fonts.example.com'],
    ],
    [
      { SWATH_MAP_STYLE: 'none', SWATH_SATELLITE: 'mapbox', SWATH_SATELLITE_KEY: 'pk.abcdefgh' },
      null,
      'tiles',
      ['https://api.mapbox.com'],
    ],
    [
      { SWATH_MAP_STYLE: 'none', SWATH_SATELLITE: 'google', SWATH_SATELLITE_KEY: 'AIzaSy-abc' },
      null,
      'google',
      ['https://tile.googleapis.com'],
    ],
    [
      { SWATH_MAP_STYLE: 'none', SWATH_SATELLITE: 'https://p.example.com/{z}/{x}/{y}.jpg' },
      null,
      'tiles',
      ['https://p.example.com'],
    ],
  ])('%j', (env, streets, satellite, hosts) => {
    const read = maps(env)
    expect(read.shown.streets?.url ?? null).toBe(streets)
    expect(read.shown.satellite?.kind ?? null).toBe(satellite)
    expect(mapHosts(read)).toEqual(hosts)
  })

  it.each([
    [{ SWATH_MAP_STYLE: 'streets' }, 'SWATH_MAP_STYLE must be none or the address of a MapLibre style'],
    [{ SWATH_MAP_STYLE: 'mapbox://styles/x' }, 'SWATH_MAP_STYLE must be none'],
    [{ SWATH_MAP_PMTILES: '/srv/maps/georgia.mbtiles' }, 'SWATH_MAP_PMTILES must be a file or an address that ends'],
    [{ SWATH_MAP_PMTILES: 's3://maps/georgia.pmtiles' }, 'SWATH_MAP_PMTILES must be a file'],
    [
      { SWATH_MAP_STYLE: 'https://a.example.com/s.json', SWATH_MAP_PMTILES: '/srv/a.pmtiles' },
      'SWATH_MAP_STYLE and SWATH_MAP_PMTILES exclude each other',
    ],
    [{ SWATH_MAP_HOSTS: 'https://a.example.com/tiles' }, 'SWATH_MAP_HOSTS must be addresses without a path'],
    [{ SWATH_MAP_HOSTS: "https://a.example.com; script-src 'unsafe-inline'" }, 'SWATH_MAP_HOSTS must be addresses'],
    [{ SWATH_SATELLITE: 'bing' }, 'SWATH_SATELLITE must be usgs, mapbox, google, none'],
    [{ SWATH_SATELLITE: 'https://p.example.com/{z}/{x}.jpg' }, 'SWATH_SATELLITE must be'],
    [{ SWATH_SATELLITE: 'google' }, 'SWATH_SATELLITE=google needs SWATH_SATELLITE_KEY'],
    [
      { SWATH_SATELLITE: 'mapbox', SWATH_SATELLITE_KEY: 'sk bad' },
      'SWATH_SATELLITE_KEY must be the key of that service.',
    ],
  ])('%j is refused in one line', (env, words) => {
    expect(() => maps(env)).toThrow(ConfigError)
    expect(() => maps(env)).toThrow(words)
  })
})
