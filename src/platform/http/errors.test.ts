import Fastify from 'fastify'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { freePort } from '../db/cluster.ts'
import { answerError } from './errors.ts'

/** A server whose only route fails as `fail` does. */
const answerOf = async (fail: () => Promise<unknown>) => {
  const server = Fastify()
  server.setErrorHandler(answerError)
  server.get('/', async () => fail())
  const answer = await server.inject({ method: 'GET', url: '/' })
  await server.close()
  return { status: answer.statusCode, code: answer.json<{ code: string }>().code }
}

describe('an error that nobody made readable', () => {
  it('is 503 when the database is away, also outside of a transaction', async () => {
    const pool = new pg.Pool({ connectionString: `postgres://nobody@127.0.0.1:${await freePort()}/nothing` })
    expect(await answerOf(() => pool.query('select 1'))).toEqual({ status: 503, code: 'unavailable' })
    await pool.end()
    const starting = Object.assign(new Error('the database system is not yet accepting connections'), { code: '57P03' })
    expect(await answerOf(() => Promise.reject(starting))).toEqual({ status: 503, code: 'unavailable' })
  })

  it('is 500 for everything else', async () => {
    expect(await answerOf(() => Promise.reject(new Error('broken')))).toEqual({ status: 500, code: 'internal' })
  })
})
