import { createContext } from 'react'

/** Why what only a plan allows cannot be done now, and how that is told to who presses it all the same; null with a plan. */
export const PlanGate = createContext<{ words: string; tell: (words: string) => void } | null>(null)
