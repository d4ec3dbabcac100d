import type { FastifyRequest } from 'fastify'
import { AppError } from '../../shared/errors.ts'
import { config } from '../config.ts'
import { isTwilioSignature, twilioSettings } from './twilio.ts'

/** The form of a call that the provider signed. @throws AppError forbidden, also while no provider is set up */
export const signedTwilioForm = (request: FastifyRequest): URLSearchParams => {
  const settings = twilioSettings(config)
  const form = new URLSearchParams(String(request.body ?? ''))
  const signature = String(request.headers['x-twilio-signature'] ?? '')
  if (!settings || !isTwilioSignature(settings, request.url, form, signature))
    throw new AppError('forbidden', 'The signature does not fit.')
  return form
}
