/** The days around the due day of an invoice that a business chooses from: negative is before it. */
export const reminderSteps = [-3, 0, 3, 7, 14, 30, 60] as const

/** What a dry run shows where a business chose none. */
export const usualReminderSteps = [0, 7, 30] as const satisfies readonly (typeof reminderSteps)[number][]

/** "3 days before", "On the due day", "7 days late". */
export const stepLabel = (step: number): string =>
  step === 0 ? 'On the due day' : step < 0 ? `${-step} days before` : `${step} days late`
