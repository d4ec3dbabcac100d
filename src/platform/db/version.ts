import { AppError } from '../../shared/errors.ts'

/** A record that somebody else changed since it was read; `what` names it, as in "this job", `latest` is the version that stands now. */
export const versionConflict = (what: string, latest: number): AppError =>
  new AppError(
    'version_conflict',
    `Somebody changed ${what} meanwhile, or you did in another window. What you typed is still on the screen: reload to see what is saved, then save again.`,
    { details: { version: latest } },
  )

/**
 * Refuses to write over a change that the person has not seen.
 * @param seen the version that the screen showed; without one nothing is asked
 * @throws AppError version_conflict (409)
 */
export const requireVersion = (row: { version: number }, seen: number | undefined, what: string): void => {
  if (seen !== undefined && row.version !== seen) throw versionConflict(what, row.version)
}
