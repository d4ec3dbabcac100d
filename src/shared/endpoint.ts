import type { z } from 'zod'
import { type Access, type Caller, callersOf } from './callers.ts'
import type { Permission } from './roles.ts'
import { speakPlainly } from './schemaWords.ts'

speakPlainly()

export { type Access, type Caller, callersOf }

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export type Endpoint = {
  method: Method
  /** Path with `:name` parameters, always below /api (or /health). */
  path: string
  access: Access | readonly Caller[]
  /** What a person needs beyond the role, one or several together; an Owner always has all of them. */
  permission?: Permission | readonly Permission[]
  /** Answers 402 when the business has no active subscription. Only for calls that change something. */
  needsSubscription?: boolean
  /**
   * The call takes `Idempotency-Key`, and a repeat gets the stored answer (decision 004). Whatever a signed-in person changes, unless it is named with
   * why in `src/test/repeats.test.ts`; also what moves money, sends a message or makes a record for a visitor.
   * `true`: everything that the handler does in its business (for visitors and the product owner: in the funnel) is one transaction.
   * `'steps'`: something slow or outside comes first (a hash, a provider); the handler ends with `once`, whose work is one transaction.
   */
  idempotent?: true | 'steps'
  /** Works also for who still has to set up the second step that the business asks for. */
  beforeSecondFactor?: boolean
  /** Largest body in bytes when it is not the usual 256 kB. */
  bodyLimitBytes?: number
  /** Also takes a plain HTML form (urlencoded), so that a page works without JavaScript. Never together with a session. */
  form?: boolean
  /** Largest form with files (multipart) in bytes; where it is not said a form brings none. */
  formBytes?: number
  params?: z.ZodType
  query?: z.ZodType
  body?: z.ZodType
  response: z.ZodType
  summary?: string
}

/** Keeps the literal types of one endpoint of a contract. */
export const endpoint = <const E extends Endpoint>(definition: E): E => definition

/** Whether an endpoint takes any of these kinds of caller. */
export const takesAny = (endpoint: Pick<Endpoint, 'access'>, ...kinds: Access[]): boolean =>
  callersOf(endpoint).some((caller) => kinds.includes(caller))

export type ContractTable = Record<string, Endpoint>

type Out<T> = T extends z.ZodType ? z.output<T> : undefined
type In<T> = T extends z.ZodType ? z.input<T> : undefined

export type ParamsOf<E extends Endpoint> = Out<E['params']>
export type QueryOf<E extends Endpoint> = Out<E['query']>
export type BodyOf<E extends Endpoint> = Out<E['body']>
/** What a handler returns (before the schema strips what does not belong). */
export type ReplyOf<E extends Endpoint> = In<E['response']>
/** What a caller gets. */
export type ResponseOf<E extends Endpoint> = z.output<E['response']>

type Part<K extends string, T> = T extends z.ZodType
  ? Record<never, never> extends z.input<T>
    ? { [P in K]?: z.input<T> }
    : { [P in K]: z.input<T> }
  : { [P in K]?: undefined }

/** What a caller has to give for an endpoint: params, query and body as far as the contract has them. */
export type CallInput<E extends Endpoint> = Part<'params', E['params']> &
  Part<'query', E['query']> &
  Part<'body', E['body']>

/** The body of an upload (an image): the bytes as they are, no JSON. The caller gives a Blob, the handler gets a Buffer. */
export type BinaryBody = Blob | Uint8Array
/** The body where a photo is taken: its bytes, or the id under which its pieces came before. */
export type PhotoBody = BinaryBody | { upload: string }
/** A file that came with a plain form. */
export type FormFile = { name: string; bytes: Uint8Array }
/** Among the fields of a form that was larger than its contract takes: its words came, its files did not. */
export const formWasTooLarge = 'form-was-too-large'
