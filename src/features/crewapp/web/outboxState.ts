import type { ConflictAnswer } from '../conflicts/contract.ts'
import type { CommandReply } from '../contract.ts'
import type { CrewCommand, PhoneClock } from '../rules.ts'
import type { Loaded, QueuedCommand, QueuedPhoto, Store } from './store.ts'

/** What the screens know of the outbox, and what it needs of the phone. */

export type OutboxState = Loaded & {
  /** What the phone keeps has been read. */
  ready: boolean
  sending: boolean
  /** Taps are on their way; photos have a lane of their own. */
  sendingTaps: boolean
  /** The last call got an answer, whatever it was. */
  reached: boolean
  /** The server asks who this is; nothing is sent, and nothing is lost, until somebody signs in. */
  needsSignIn: boolean
  /** The photo that is on its way, and how much of it has got there. */
  underWay: { id: string; sentBytes: number } | null
  /** The phone has no room to write what became of things; they are known as long as the app is open. */
  full: boolean
}

export type PhotoWay = {
  /** Told how many bytes the server has: what it had before, then more as they get there. */
  onSent: (bytes: number) => void
  /** Settles when a piece may go: the taps that wait go first. */
  beforePiece: () => Promise<void>
}

export type OutboxDeps = {
  store: Store
  /** What the phone keeps, where it has been read already. */
  begun?: Loaded | null
  sendCommands: (commands: CrewCommand[]) => Promise<CommandReply[]>
  /** What the office has decided about some of what this phone holds. */
  answersTo: (commandIds: string[]) => Promise<ConflictAnswer[]>
  sendPhoto: (photo: QueuedPhoto, blob: Blob, way: PhotoWay) => Promise<void>
  /** False where this phone keeps photos for a network that it is not on. */
  mayUsePhotoLine: () => boolean
  /** One at a time of each lane over all tabs of the phone. */
  exclusive: (lane: 'taps' | 'photos', work: () => Promise<void>) => Promise<void>
  now: () => number
  /** What is known of this phone's clock. */
  clock: () => PhoneClock | undefined
  later: (work: () => void, ms: number) => () => void
  newId: () => string
  /** Tells the other tabs that what is kept has changed. */
  announce: () => void
}

export const nothingYet: OutboxState = {
  commands: [],
  photos: [],
  bundle: null,
  clock: null,
  ready: false,
  sending: false,
  sendingTaps: false,
  reached: true,
  needsSignIn: false,
  underWay: null,
  full: false,
}

/** How many things the office has not: what it has decided about is with it. */
export const unsentOf = ({ commands, photos }: Pick<OutboxState, 'commands' | 'photos'>): number =>
  commands.filter(({ state }) => state !== 'answered').length + photos.length

/** How many of those are in the memory of the app alone, as the phone had no room: they are gone with it. */
export const unkeptOf = ({ commands }: Pick<OutboxState, 'commands'>): number =>
  commands.filter(({ seq, state }) => state !== 'answered' && !Number.isInteger(seq)).length

/** Whether what was just done is still on this phone, so that it can be taken back. */
export const canTakeBack = ({ commands }: Pick<OutboxState, 'commands'>, commandId: string, nowMs: number): boolean =>
  commands.some(({ command, notBefore }) => command.id === commandId && notBefore > nowMs)

export type NewPhoto = Pick<QueuedPhoto, 'visitId' | 'kind' | 'item' | 'takenAt' | 'label'> &
  Partial<Pick<QueuedPhoto, 'id' | 'place'>>
/** A photo of what is written down with it; without a `visitId` it is the command's own. */
export type OwnPhoto = Pick<QueuedPhoto, 'id' | 'kind' | 'takenAt'> &
  Partial<Pick<QueuedPhoto, 'visitId' | 'label' | 'item'>> & { blob: Blob }

/** Where it was goes along: the visit may have been deleted before it gets there. */
export const withPlace = ({ command, label }: QueuedCommand): CrewCommand =>
  command.visitId && label ? { ...command, label: label.slice(0, 120) } : command

export type CommandInput = Pick<CrewCommand, 'type' | 'visitId' | 'payload'> & {
  label: string
  /** How long it waits on the phone, so that it can be undone. */
  holdMs?: number
  /** When it was, where that is not now: what a person took of a suggestion. */
  at?: string | undefined
}
