import { Controller, UseGuards, type Type } from '@nestjs/common';
import type { ControllerConfig } from '../options/activity.options';
import { optionError } from '../errors/option-error';
import { ownPathOf } from './routes';

/**
 * A controller at an app's own path, with its guards and decorators. It is a class of its own, so that two modules of
 * one process, or a test's, do not change each other's.
 */
export function mounted(controller: Type, { path = '', guards = [], decorators = [] }: ControllerConfig): Type {
  if (!/^\/?([^/\s?#]+\/)*([^/\s?#]+)?$/.test(path)) {
    throw optionError('controllers.path', path, 'use segments with one "/" between them: "api" or "/api/v1"');
  }
  const Mounted = class extends controller {};
  // OpenAPI names operations after the class.
  Object.defineProperty(Mounted, 'name', { value: controller.name });
  Controller([path, ownPathOf(controller)].join('/').replace(/\/{2,}/g, '/'))(Mounted);
  UseGuards(...guards)(Mounted);
  for (const decorate of decorators) decorate(Mounted);
  return Mounted;
}
