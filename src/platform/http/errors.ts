import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { hasZodFastifySchemaValidationErrors, isResponseSerializationError } from 'fastify-type-provider-zod'
import { AppError, type ErrorBody, type ErrorCode, type FieldError } from '../../shared/errors.ts'
import { databaseError } from '../db/errors.ts'
import { log } from '../log.ts'

const fieldPath = (instancePath: string): string => instancePath.replace(/^\//, '').replaceAll('/', '.')

const fromFramework: Record<number, [ErrorCode, string]> = {
  400: ['bad_request', 'We could not read this request. Nothing was changed.'],
  413: ['payload_too_large', 'This is larger than we can take. Nothing was changed.'],
  415: ['unsupported_media', 'We cannot read this kind of file. Nothing was changed.'],
  429: ['too_many_requests', 'That was a lot at once. Wait a moment, then try again.'],
}

const known = (error: FastifyError): AppError | null => {
  if (error instanceof AppError) return error
  // also of statements outside of a transaction: who asks is read by one
  const ofDatabase = databaseError(error)
  if (ofDatabase instanceof AppError) return ofDatabase
  if (hasZodFastifySchemaValidationErrors(error)) {
    const errors: FieldError[] = error.validation.map((v) => ({
      path: fieldPath(v.instancePath),
      message: v.message ?? 'Not valid',
    }))
    return new AppError('validation_failed', 'Validation error', { errors })
  }
  if ((error as { code?: string }).code === '23505') {
    return new AppError('conflict', 'This already exists. Nothing was changed.', { cause: error })
  }
  const framework = fromFramework[error.statusCode ?? 0]
  return framework ? new AppError(framework[0], framework[1], { cause: error }) : null
}

/** The one place where an error becomes an answer: `{ code, message, errors?, requestId }`, and a line in the log for ours. */
export const answerError = (error: FastifyError, request: FastifyRequest, reply: FastifyReply): void => {
  const app =
    known(error) ??
    new AppError('internal', 'Something went wrong on our side. Nothing was lost; please try again.', { cause: error })
  if (app.status >= 500)
    log.error(
      {
        err: isResponseSerializationError(error) ? error.cause : (app.cause ?? app),
        requestId: request.id,
        url: request.routeOptions.url,
      },
      'request failed',
    )
  const body: ErrorBody = {
    code: app.code,
    message: app.message,
    ...(app.errors ? { errors: app.errors } : {}),
    requestId: request.id,
    ...(app.details ? { details: app.details } : {}),
  }
  if (app.code === 'too_many_requests' && typeof app.details?.retryAfterSeconds === 'number')
    reply.header('retry-after', app.details.retryAfterSeconds)
  void reply.code(app.status).send(body)
}
