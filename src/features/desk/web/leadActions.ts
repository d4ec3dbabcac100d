import type { Lead } from '../contract.ts'

/** What a tab asks the desk to open for a lead. */
export type LeadAction = 'email' | 'sms' | 'demo' | 'details'
export type OnLead = (action: LeadAction, lead: Lead) => void
