import { createContext } from 'react'

/** Why what only a plan allows cannot be done now, in words for its button; null with a plan. */
export const PlanGate = createContext<string | null>(null)
