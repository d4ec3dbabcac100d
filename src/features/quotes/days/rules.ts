/** The day that fits a place best, as a quote has it. */
export type QuoteDay = {
  weekday: number
  crewId: string | null
  crewName: string
  /** Of a visit. */
  addedSeconds: number
  /** Hundredths of a percent off for it. */
  densityPercent: number
  /** The customer reads which day it would be. */
  shown: boolean
}

/** What is off for a day, in hundredths of a percent, by the rule of the business: nothing where no crew is near anyway. */
export const densityOf = (
  { densityPercent, densityMinutes }: { densityPercent: number; densityMinutes: number },
  { addedSeconds, stops }: { addedSeconds: number; stops: number },
): number => (densityPercent > 0 && stops > 0 && addedSeconds <= densityMinutes * 60 ? densityPercent : 0)

/** "4 min more driving a visit". */
export const addedWords = (addedSeconds: number): string => {
  const minutes = Math.round(addedSeconds / 60)
  return minutes <= 0 ? 'on the way' : `${minutes} min more driving a visit`
}

type Offered = { addedSeconds: number; densityPercent: number }

/** Whether the first of the days stands out in what is read of it: days that read alike have no best among them. */
export const isBest = ([first, second]: readonly Offered[]): boolean =>
  first !== undefined &&
  second !== undefined &&
  (addedWords(first.addedSeconds) !== addedWords(second.addedSeconds) || first.densityPercent !== second.densityPercent)
