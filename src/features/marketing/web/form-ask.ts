/** How the forms of the public site ask the server. */

export class Refusal extends Error {
  readonly status: number
  readonly errors: { path: string; message: string }[]
  constructor(status: number, message: string, errors: { path: string; message: string }[] = []) {
    super(message)
    this.status = status
    this.errors = errors
  }
}

const noAnswer = 'We could not reach Swath. Nothing was lost: check your connection and try again.'

/** One call of the API. @throws Refusal; status 0 when no answer came */
export const ask = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
  const answer = await fetch(path, {
    method,
    ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(20_000),
  }).catch(() => null)
  if (!answer) throw new Refusal(0, noAnswer)
  const content = (await answer.json().catch(() => ({}))) as {
    message?: string
    errors?: { path: string; message: string }[]
  }
  if (!answer.ok)
    throw new Refusal(
      answer.status,
      content.message ?? 'Something went wrong on our side. Nothing was lost; please try again.',
      content.errors,
    )
  return content as T
}

/** What went wrong, as a refusal; anything but an answer of the server is a mistake of ours. */
export const refusalOf = (error: unknown): Refusal =>
  error instanceof Refusal ? error : new Refusal(0, 'This did not work. Nothing was lost; please try again.')
