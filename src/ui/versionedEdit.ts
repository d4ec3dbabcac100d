import { ApiError } from '#src/shared/client.ts'

/** An open form of a record: the version it was opened with, the newer one that a refused save told of, what was asked for since. */
export type VersionedEdit = {
  base: number
  /** Not null while the person is asked. */
  latest: number | null
  /** The version to wait for: the new state is on its way to the form. */
  awaited: number | null
  /** How often the form was filled anew. */
  filled: number
}

type Step =
  | { kind: 'refused'; latest: number }
  /** What was typed goes over the newer version. */
  | { kind: 'mine' }
  /** The newer version takes the place of what was typed. */
  | { kind: 'theirs' }
  /** The record as it now stands on the screen. */
  | { kind: 'arrived'; version: number }
  /** Back to the form without a choice: the next save asks again. */
  | { kind: 'stay' }

export const openedAt = (version: number): VersionedEdit => ({ base: version, latest: null, awaited: null, filled: 0 })

export const stepEdit = (edit: VersionedEdit, step: Step): VersionedEdit => {
  switch (step.kind) {
    case 'refused':
      return { ...edit, latest: step.latest }
    case 'mine':
      return edit.latest === null ? edit : { ...edit, base: edit.latest, latest: null }
    case 'theirs':
      return { ...edit, awaited: edit.latest }
    case 'arrived':
      return edit.awaited === null || step.version < edit.awaited
        ? edit
        : { base: step.version, latest: null, awaited: null, filled: edit.filled + 1 }
    case 'stay':
      return { ...edit, latest: null, awaited: null }
  }
}

/** The version that stands on the server, when an error says that somebody else changed the record. */
export const latestVersion = (error: unknown): number | null =>
  error instanceof ApiError && error.code === 'version_conflict' && typeof error.details.version === 'number'
    ? error.details.version
    : null
