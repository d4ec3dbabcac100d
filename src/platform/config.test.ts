import { isAbsolute } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ConfigError, loadConfig } from './config.ts'

describe('loadConfig', () => {
  it('runs locally, with the demo, on the loopback when nothing is set', () => {
    const config = loadConfig({})
    expect(config).toMatchObject({
      port: 3000,
      host: '127.0.0.1',
      demo: true,
      production: false,
      databaseUrl: undefined,
      publicUrl: 'http://localhost:3000',
      role: 'all',
    })
    expect(isAbsolute(config.dataDir)).toBe(true)
  })

  it('is production exactly when PUBLIC_URL is set: every address, no demo', () => {
    expect(loadConfig({ PUBLIC_URL: 'https://app.example.com/', PORT: '8080' })).toMatchObject({
      production: true,
      host: '0.0.0.0',
      demo: false,
      publicUrl: 'https://app.example.com',
      port: 8080,
    })
  })

  it.each([
    [{}, true],
    [{ SWATH_DEMO: '0' }, false],
    [{ DATABASE_URL: 'postgres://u:p@db/swath' }, false],
    [{ DATABASE_URL: 'postgres://u:p@db/swath', SWATH_DEMO: '1' }, true],
    [{ PUBLIC_URL: 'https://a.example' }, false],
    [{ PUBLIC_URL: 'https://a.example', SWATH_DEMO: '0' }, false],
  ])('%j makes the demo: %s', (env, demo) => expect(loadConfig(env).demo).toBe(demo))

  it('empty values count as not set', () => {
    expect(loadConfig({ PORT: '', PUBLIC_URL: ' ', DATABASE_URL: '', SWATH_DEMO: '' })).toEqual(loadConfig({}))
  })

  it.each([
    [{ PORT: 'http' }, 'PORT must be a port number from 0 to 65535 (it is "http")'],
    [{ PORT: '70000' }, 'PORT must be a port number'],
    [{ SWATH_DEMO: 'yes' }, 'SWATH_DEMO must be 1 or 0'],
    [{ DATABASE_URL: 'mysql://secret@x/y' }, 'DATABASE_URL must look like postgres://'],
    [{ PUBLIC_URL: 'app.example.com' }, 'PUBLIC_URL must look like https://'],
    [{ SWATH_ROLE: 'web' }, 'SWATH_ROLE must be all, api or worker'],
    [{ PUBLIC_URL: 'https://a.example', SWATH_DEMO: '1' }, 'SWATH_DEMO=1 and PUBLIC_URL exclude each other'],
    [{ SWATH_FILES: '/srv/files' }, 'SWATH_FILES must be s3:// and the name of a bucket'],
    [
      { SWATH_FILES: 's3://files', SWATH_S3_REGION: 'us-east-1' },
      'SWATH_FILES needs SWATH_S3_KEY_ID and SWATH_S3_SECRET',
    ],
    [{ SWATH_FILES: 's3://files', SWATH_S3_KEY_ID: 'id1', SWATH_S3_SECRET: 'a secret of it' }, 'needs SWATH_S3_REGION'],
    [{ SWATH_S3_SECRET: 'a secret of it' }, 'the SWATH_S3_ variables need SWATH_FILES=s3://<bucket>'],
    [
      { SWATH_FILES: 's3://files', SWATH_S3_SECRET: 'secret' },
      'SWATH_S3_SECRET must be what belongs to that access key',
    ],
    [{ SWATH_FILES: 's3://files', SWATH_S3_ENDPOINT: 'secret.example' }, 'SWATH_S3_ENDPOINT must look like https://'],
    [{ PORT: 'x', SWATH_DEMO: 'y' }, 'PORT must be a port number from 0 to 65535 (it is "x"); SWATH_DEMO'],
  ])('%j is refused in one line', (env, words) => {
    const load = () => loadConfig(env)
    expect(load).toThrow(ConfigError)
    expect(load).toThrow(words)
    try {
      load()
    } catch (error) {
      expect((error as Error).message).not.toContain('\n')
      expect((error as Error).message).not.toContain('secret')
    }
  })
})

describe('where files lie', () => {
  const files = {
    SWATH_FILES: 's3://swath-files',
    SWATH_S3_ENDPOINT: 'https://s3.example.com/',
    SWATH_S3_KEY_ID: 'key-of-the-bucket',
    SWATH_S3_SECRET: 'hidden-secret-1',
  }

  it('is the data folder unless a bucket is set', () => {
    expect(loadConfig({}).files).toBeUndefined()
    expect(loadConfig(files).files).toEqual({
      bucket: 'swath-files',
      endpoint: 'https://s3.example.com',
      region: 'us-east-1',
      keyId: 'key-of-the-bucket',
      secret: 'hidden-secret-1',
    })
    expect(loadConfig({ ...files, SWATH_S3_ENDPOINT: '', SWATH_S3_REGION: 'eu-west-1' }).files).toMatchObject({
      endpoint: undefined,
      region: 'eu-west-1',
    })
  })

  it.each([
    [{ SWATH_FILES: 'swath-files' }, 'SWATH_FILES must be s3:// and the name of a bucket'],
    [{ SWATH_FILES: '' }, 'need SWATH_FILES=s3://<bucket>'],
    [{ SWATH_S3_SECRET: '' }, 'SWATH_FILES needs SWATH_S3_KEY_ID and SWATH_S3_SECRET'],
    [{ SWATH_S3_KEY_ID: '' }, 'SWATH_FILES needs SWATH_S3_KEY_ID and SWATH_S3_SECRET'],
    [{ SWATH_S3_SECRET: 'short' }, 'SWATH_S3_SECRET must be'],
    [{ SWATH_S3_ENDPOINT: '' }, 'SWATH_FILES needs SWATH_S3_REGION (Amazon) or SWATH_S3_ENDPOINT'],
    [{ SWATH_S3_ENDPOINT: 'hidden.example' }, 'SWATH_S3_ENDPOINT must look like https://'],
    [{ SWATH_S3_REGION: 'US East' }, 'SWATH_S3_REGION must be a region'],
  ])('%j beside the others is refused in one line without key and secret', (wrong, words) => {
    const refused = (() => {
      try {
        return loadConfig({ ...files, ...wrong })
      } catch (error) {
        return error as Error
      }
    })()
    expect(refused).toBeInstanceOf(ConfigError)
    const { message } = refused as Error
    expect(message).toContain(words)
    expect(message).not.toMatch(/\n|hidden|key-of-the-bucket|"short"/)
  })
})
